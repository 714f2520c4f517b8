import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * A person has read the conversation: all of it, or up to then. What came later stays unread, and nothing becomes unread
 * again. Answers how many are. Takes the conversation's lock.
 */
export async function markRead(tx: Tx, conversationId: string, upTo: Date | 'all'): Promise<number> {
  const left =
    upTo === 'all'
      ? sql`0`
      : sql`least(c.unread_count, (select count(*) from message m
          where m.conversation_id = c.id and m.direction = 'in' and m.occurred_at > ${upTo}::timestamptz))`;
  await sql`
    update conversation c set unread_count = ${left} where c.id = ${conversationId} and c.unread_count > 0`.execute(
    tx.sql,
  );
  const { rows } = await sql<{ unread: number }>`
    select unread_count as unread from conversation where id = ${conversationId}`.execute(tx.sql);
  return rows[0]?.unread ?? 0;
}
