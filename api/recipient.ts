import { canonicalChatId, chatIdOfPhone, isChatId, isPhone } from '../domain/chat-id.ts';
import { EngineError } from '../domain/error.ts';
import type { NewSend } from '../db/accept.ts';

/** The ways in which a request may name whom it is for; the first that is there counts. */
export interface RecipientFields {
  conversationId?: string | undefined;
  contactId?: string | undefined;
  chatId?: string | undefined;
  to?: string | undefined;
}

/** Whom a request is for, as far as its words tell. */
export function recipientOf({ conversationId, contactId, chatId, to }: RecipientFields): NewSend['recipient'] {
  if (conversationId !== undefined) return { conversationId };
  if (contactId !== undefined) return { contactId };
  if (chatId !== undefined) return { chatId: knownForm(chatId, '/chatId') };
  if (to === undefined) {
    throw new EngineError('recipient_required', 'Name the recipient by to, contactId, chatId or conversationId.', {
      fields: [{ pointer: '/to', message: 'is required when no other recipient is named' }],
    });
  }
  if (to.startsWith('con_')) return { contactId: to };
  return { chatId: isPhone(to) ? chatIdOfPhone(to) : knownForm(to, '/to') };
}

function knownForm(chatId: string, pointer: string): string {
  if (isChatId(chatId)) return canonicalChatId(chatId);
  throw new EngineError('invalid_recipient', 'Send a phone number with its country code, a contactId or a chat id.', {
    fields: [{ pointer, message: 'is not a phone number, contactId or chat id' }],
  });
}
