import { sql } from 'kysely';
import type { NetworkChat, NetworkMessage } from '../domain/network-event.ts';
import { ensureConversation, recordLastMessage } from './conversation.ts';
import type { ConversationRef } from './conversation.ts';
import type { Tx } from './database.ts';
import { insertNetworkMessage, occurredAt, parkOwnMessage } from './ingest.ts';
import { listOpenSends, mayBeOf } from './open-send.ts';
import type { Session } from './session.ts';

/** Brings one chat of the account into the inbox. What live events have recorded is newer and stays. */
export async function importChat(tx: Tx, session: Session, chat: NetworkChat): Promise<ConversationRef> {
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
  const conversation = await ensureConversation(tx, scope, { chatId: chat.chatId, name: chat.name });
  await sql`
    update conversation set name = coalesce(${chat.name}, name), picture_url = coalesce(${chat.pictureUrl}, picture_url),
      unread_count = case when last_message_id is null then coalesce(${chat.unreadCount}, unread_count) else unread_count end
    where id = ${conversation.id}`.execute(tx.sql);
  return conversation;
}

/**
 * Messages of the past, newest first: no events, no turns, no unread marks; one that is known already is left as it is.
 * They are written oldest first, because messages of one second keep the order in which they were written.
 */
export async function importMessages(
  tx: Tx,
  session: Session,
  conversation: ConversationRef,
  messages: NetworkMessage[],
): Promise<number> {
  let imported = 0;
  const sends = await listOpenSends(tx, session.id);
  for (const message of messages.toReversed()) {
    if (message.fromMe && mayBeOf(message, conversation.id, sends)) {
      await parkOwnMessage(tx, session.id, conversation.id, message);
      continue;
    }
    const inserted = await insertNetworkMessage(tx, session, conversation, message, 'history');
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
  }
  return imported;
}
