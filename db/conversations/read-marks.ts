import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../tx.ts';
import { row, run } from '../rows.ts';

const Unread = z.object({ unread: z.int() });

/**
 * A person has read the conversation: all of it, or up to the message with that id. What stands after it stays unread, also
 * what is of the same moment, since the network tells whole seconds; nothing becomes unread again. Answers how many are.
 * Takes the conversation's lock.
 */
export async function markRead(tx: Tx, conversationId: string, upTo: { messageId: string } | 'all'): Promise<number> {
  const left =
    upTo === 'all'
      ? sql`0`
      : sql`least(c.unread_count, (select count(*) from message shown join message m
          on (m.occurred_at, m.id) > (shown.occurred_at, shown.id)
          where shown.id = ${upTo.messageId} and m.direction = 'in'
            -- Old messages follow a merged conversation later than its count.
            and m.conversation_id in (select c.id union all select f.id from conversation f where f.merged_into = c.id)))`;
  await run(tx)`
    update conversation c set unread_count = ${left} where c.id = ${conversationId} and c.unread_count > 0`;
  const marked = await row(tx, Unread)`select unread_count as unread from conversation where id = ${conversationId}`;
  return marked?.unread ?? 0;
}
