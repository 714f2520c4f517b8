import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '../tx.ts';
import { row, run } from '../rows.ts';

const Unread = z.object({ unread: z.int() });

/**
 * Marks a conversation as read, entirely or up to the named message. Messages after that one stay unread, also those of
 * the same moment, since the network tells whole seconds. No message becomes unread again. Returns how many are unread.
 * Takes the conversation's lock.
 */
export async function markRead(tx: Tx, conversationId: string, upTo: { messageId: string } | 'all'): Promise<number> {
  const left =
    upTo === 'all'
      ? sql`0`
      : sql`least(c.unread_count, (select count(*) from message shown join message m
          on (m.occurred_at, m.id) > (shown.occurred_at, shown.id)
          where shown.id = ${upTo.messageId} and m.direction = 'in'
            -- The conversations merged into this one count, because their old messages follow later than their unread
            -- count.
            and m.conversation_id in (select c.id union all select f.id from conversation f
              where f.merged_into = c.id)))`;
  await run(tx)`
    update conversation c set unread_count = ${left} where c.id = ${conversationId} and c.unread_count > 0`;
  const marked = await row(tx, Unread)`select unread_count as unread from conversation where id = ${conversationId}`;
  return marked?.unread ?? 0;
}
