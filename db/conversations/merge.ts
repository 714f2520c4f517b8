import { sql } from 'kysely';
import { lockConversation } from './conversation.ts';
import type { Tx } from '../database.ts';

/**
 * Old messages and turns of a long conversation follow it into the one that it was merged into, so many at a time: nothing
 * is decided by them. False when none is left anywhere.
 */
export async function moveLeftMessages(tx: Tx, limit: number): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from conversation where unfinished_merge is not null order by id limit 1`.execute(tx.sql);
  const [left] = rows;
  if (!left) return false;
  // The one that it has become: whoever merges that one locks it, too, before the empty ones that lead to it.
  await lockConversation(tx, left.id);
  await sql`select move_messages(${left.id}, ${limit})`.execute(tx.sql);
  return true;
}
