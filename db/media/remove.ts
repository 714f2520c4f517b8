import { z } from 'zod';
import type { FileEnd } from '../../domain/sending/media-error.ts';
import { one } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

const Count = z.object({ count: z.int() });

/**
 * Takes the files of messages away, whether they are stored or still to be fetched, and says why at their addresses;
 * returns how many messages had one. The files themselves go within the hour, once nothing else names them
 * (`files.sql`). A message that is not sent yet keeps its file. It comes before anything that locks the messages. Safe
 * to repeat.
 */
export async function removeFiles(tx: Tx, messageIds: readonly string[], why: FileEnd): Promise<number> {
  if (messageIds.length === 0) return 0;
  const { count } = await one(tx, Count)`
    select remove_files(${[...messageIds]}::text[], ${`media_${why}`}, ${tx.now}) as count`;
  return count;
}

/** Takes away files that their tenants keep no longer, `limit` at most; returns how many. */
export async function expireFiles(tx: Tx, limit: number): Promise<number> {
  const { count } = await one(tx, Count)`select expire_files(${tx.now}, ${limit}) as count`;
  return count;
}
