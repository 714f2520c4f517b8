import { canonicalChatId, chatIdOfPhone, isChatId, isPhone } from '../domain/chat-id.ts';
import { EngineError, notFound } from '../domain/error.ts';
import type { Scope } from '../domain/scope.ts';
import { findContactInScope } from '../db/contact.ts';
import { conversationRef, ensureConversation, findConversationInScope } from '../db/conversation.ts';
import type { ConversationRef } from '../db/conversation.ts';
import type { Tx } from '../db/database.ts';
import type { Session } from '../db/session.ts';

/** The ways in which a request may name whom it is for; the first that is there counts. */
export interface RecipientFields {
  conversationId?: string | undefined;
  contactId?: string | undefined;
  chatId?: string | undefined;
  to?: string | undefined;
}

/** The conversation with the recipient, made when this is the first word to them. */
export async function resolveRecipient(
  tx: Tx,
  scope: Scope,
  session: Session,
  fields: RecipientFields,
): Promise<ConversationRef> {
  const { conversationId, contactId, chatId, to } = fields;
  if (conversationId !== undefined) {
    const conversation = await findConversationInScope(tx, { ...scope, sessionId: session.id }, conversationId);
    if (!conversation) throw notFound('conversation');
    return conversationRef(conversation);
  }
  if (contactId !== undefined) return toContact(tx, scope, session, contactId);
  if (chatId !== undefined) return toChat(tx, session, chatId, '/chatId');
  if (to === undefined) {
    throw new EngineError('recipient_required', 'Name the recipient by to, contactId, chatId or conversationId.', {
      fields: [{ pointer: '/to', message: 'is required when no other recipient is named' }],
    });
  }
  if (to.startsWith('con_')) return toContact(tx, scope, session, to);
  return isPhone(to) ? toAddress(tx, session, chatIdOfPhone(to)) : toChat(tx, session, to, '/to');
}

async function toContact(tx: Tx, scope: Scope, session: Session, contactId: string): Promise<ConversationRef> {
  const contact = await findContactInScope(tx, scope, contactId);
  if (!contact) throw notFound('contact');
  return toAddress(tx, session, contact.chatId);
}

function toChat(tx: Tx, session: Session, chatId: string, pointer: string): Promise<ConversationRef> {
  if (!isChatId(chatId)) {
    throw new EngineError('invalid_recipient', 'Send a phone number with its country code, a contactId or a chat id.', {
      fields: [{ pointer, message: 'is not a phone number, contactId or chat id' }],
    });
  }
  return toAddress(tx, session, canonicalChatId(chatId));
}

function toAddress(tx: Tx, session: Session, chatId: string): Promise<ConversationRef> {
  const { agencyId, tenantId, id: sessionId } = session;
  return ensureConversation(tx, { agencyId, tenantId, sessionId }, { chatId });
}
