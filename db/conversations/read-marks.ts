import { sql } from 'kysely';
import { z } from 'zod';
import type { NetworkChat } from '../../domain/network/network-event.ts';
import type { Tx } from '../engine/tx.ts';
import { row, run } from '../engine/rows.ts';

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
          where shown.id = ${upTo.messageId} and m.direction = 'in' and not is_notice(m.content)
            -- The conversations merged into this one count, because their old messages follow later than their unread
            -- count.
            and m.conversation_id in (select own.id from ids_of_conversation(c.id) as own(id))))`;
  await run(tx)`
    update conversation c set unread_count = ${left} where c.id = ${conversationId} and c.unread_count > 0`;
  tx.wake('changed');
  const marked = await row(tx, Unread)`select unread_count as unread from conversation where id = ${conversationId}`;
  return marked?.unread ?? 0;
}

/**
 * Records that the messages for whose answer the contact waits need none, entirely or up to the named message. No new
 * turn begins for them; one that runs already may still answer them. Needs the conversation's lock.
 */
export async function waiveAnswers(tx: Tx, conversationId: string, upToMessageId: string | null): Promise<void> {
  const upTo =
    upToMessageId === null
      ? sql`true`
      : sql`(m.occurred_at, m.id) <= (
    select s.occurred_at, s.id from message s where s.id = ${upToMessageId})`;
  const waived = await run(tx)`
    update message m set waived_at = ${tx.now}, awaits_turn = false
    where m.conversation_id = ${conversationId} and m.direction = 'in' and m.waived_at is null
      and m.occurred_at >= waiting_since(${conversationId}) and ${upTo}`;
  if (waived > 0) tx.wake('changed');
}

/**
 * Marks a conversation as read up to a message that the account's own devices have read or written. An older message
 * that comes late was read with it. Needs the conversation's lock.
 */
export async function markReadOnDevice(tx: Tx, conversationId: string, messageId: string): Promise<void> {
  await run(tx)`
    update conversation c set read_up_to = greatest(c.read_up_to, m.occurred_at)
    from message m where c.id = ${conversationId} and m.id = ${messageId}`;
  await markRead(tx, conversationId, { messageId });
}

/**
 * Lowers unread counts to those that a list of the backend shows, for backends that do not tell what was read on other
 * devices. Only the count of a chat counts that ends with the same message here.
 */
export async function lowerUnread(tx: Tx, sessionId: string, chats: readonly NetworkChat[]): Promise<void> {
  const listed = chats.flatMap(({ unreadCount: unread, lastMessage }) =>
    unread === null || lastMessage === null ? [] : [{ unread, networkId: lastMessage.networkId }],
  );
  if (listed.length === 0) return;
  const lowered = await run(tx)`
    with lower as (
      select c.id, l.unread, m.occurred_at
      from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as l("networkId" text, unread integer)
        join message m on m.session_id = ${sessionId} and m.network_id = l."networkId" and m.direction in ('in', 'out')
        join conversation c on c.last_message_id = m.id and c.id = m.conversation_id
      where c.unread_count > l.unread
      order by c.id for no key update of c
    )
    update conversation c set unread_count = l.unread,
      read_up_to = case when l.unread = 0 then greatest(c.read_up_to, l.occurred_at) else c.read_up_to end
    from lower l where c.id = l.id`;
  if (lowered > 0) tx.wake('changed');
}
