import { z } from 'zod';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { Tx } from '../engine/tx.ts';
import { one, run } from '../engine/rows.ts';

/** Records a message's file. Only the first record counts, because a stored file does not change. */
export async function recordMedia(tx: Tx, messageId: string, media: NetworkMedia): Promise<void> {
  await run(tx)`
    update message set media = ${JSON.stringify(media)}::jsonb, updated_at = ${tx.now}
    where id = ${messageId} and media is null`;
}

const Times = z.object({ times: z.int() });

/** Records that the file's server did not give the file; returns how often that has happened to this message. */
export async function recordUnavailableMedia(tx: Tx, messageId: string, detail: string): Promise<number> {
  const { times } = await one(tx, Times)`
    with noted as (
      insert into message_history (message_id, at, status, reason, detail)
      select id, ${tx.now}, status, 'media_unavailable', ${detail} from message
      where id = ${messageId} and status = 'queued'
    )
    select count(*)::int + 1 as times from message_history
    where message_id = ${messageId} and reason = 'media_unavailable'`;
  return times;
}

/** Notes that the contact gets the file, and the people that its caption mentions get no notification. */
export async function noteMentionsLeftOut(tx: Tx, messageId: string): Promise<void> {
  await run(tx)`
    insert into message_history (message_id, at, status, reason)
    select id, ${tx.now}, status, 'mentions_left_out' from message where id = ${messageId}`;
}
