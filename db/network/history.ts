import { z } from 'zod';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import type { NetworkChat, NetworkMessage } from '../../domain/network/network-event.ts';
import { ensureConversation, lockConversation, recordLastMessage } from '../conversations/conversation.ts';
import type { ConversationRef } from '../conversations/conversation.ts';
import type { Tx } from '../tx.ts';
import { rows, run } from '../rows.ts';
import { insertNetworkMessage, occurredAt } from './network-message.ts';
import { parkOwnMessage } from './park-own-message.ts';
import { listOpenSends } from '../sending/open-send.ts';
import { markRead } from '../conversations/read-marks.ts';
import type { Session } from '../sessions/session.ts';
import { tellAgent } from '../agent/tell-agent.ts';

/**
 * Adds one chat of the account to the inbox. Live events are newer than the chat's data, so what they recorded stays.
 */
export async function importChat(tx: Tx, session: Session, chat: NetworkChat): Promise<ConversationRef> {
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
  const conversation = await ensureConversation(tx, scope, { chatId: chat.chatId, name: chat.name });
  await run(tx)`
    update conversation set name = coalesce(${chat.name}, name),
      picture_url = coalesce(${chat.pictureUrl}, picture_url),
      unread_count = case when last_message_id is null then coalesce(${chat.unreadCount}, unread_count)
        else unread_count end
    where id = ${conversation.id}`;
  return conversation;
}

/**
 * Imports messages of the past, given newest first. They cause no events and no unread marks, and known messages stay
 * as they are. A contact's message that is newer than the first live message was missed, so the agent owes it an
 * answer, or records that it is too old for one. Older messages are history and get no turn. The oldest is written
 * first, so that messages of one second keep their order.
 */
export async function importMessages(
  tx: Tx,
  session: Session,
  given: ConversationRef,
  messages: NetworkMessage[],
): Promise<number> {
  let imported = 0;
  const conversation = { ...given, id: await lockConversation(tx, given.id) };
  const missed: Missed[] = [];
  let answered: { conversationId: string; messageId: string } | null = null;
  const sends = await listOpenSends(tx, session.id, 'uncertain_too');
  for (const message of messages.toReversed()) {
    if (message.fromMe && sends.some((send) => mayBeEchoOf(message, conversation.id, send))) {
      await parkOwnMessage(tx, session.id, conversation.id, message);
      continue;
    }
    const inserted = await insertNetworkMessage(tx, conversation, message, 'history');
    if (inserted === null) continue;
    const { id } = inserted;
    imported += 1;
    const at = occurredAt(message, tx.now);
    await recordLastMessage(tx, inserted.conversation.id, {
      id,
      body: message.body,
      fromMe: message.fromMe,
      at,
      unread: 0,
    });
    if (message.fromMe) answered = { conversationId: inserted.conversation.id, messageId: id };
    if (!message.fromMe && inserted.isForAgent) missed.push({ id, conversationId: inserted.conversation.id });
  }
  // The conversation is marked as read when all messages are written: a person who answered in the chat has read what
  // stands before the answer.
  if (answered) await markRead(tx, answered.conversationId, answered);
  if (missed.length > 0) await tellAgentOfMissed(tx, missed);
  return imported;
}

const Missed = z.object({ id: z.string(), conversationId: z.string() });
type Missed = z.infer<typeof Missed>;

/** Tells the agent of those messages that came after the first live message; without a live message none was missed. */
async function tellAgentOfMissed(tx: Tx, missed: readonly Missed[]): Promise<void> {
  const owed = await rows(tx, Missed)`
    select m.id, m.conversation_id as "conversationId" from message m
    where m.id = any(${missed.map(({ id }) => id)}::text[])
      and m.occurred_at > (select min(l.occurred_at) from message l
        where l.conversation_id = m.conversation_id and l.direction = 'in' and l.origin = 'network')
    order by m.occurred_at, m.id`;
  for (const { id, conversationId } of owed) await tellAgent(tx, conversationId, id);
}
