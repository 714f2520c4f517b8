import type { NewSend } from '../db/accept.ts';
import type { Database } from '../db/database.ts';
import { findDefaultCountry } from '../db/tenant.ts';
import { canonicalChatId, chatIdOfPhone, isChatId } from '../domain/chat-id.ts';
import { EngineError } from '../domain/error.ts';
import type { Scope } from '../domain/scope.ts';
import { digitsOfPhone, looksLikePhone, namesItsCountry } from './phone.ts';

/** The ways in which a request may name whom it is for; the first that is there counts. */
export interface RecipientFields {
  conversationId?: string | undefined;
  contactId?: string | undefined;
  chatId?: string | undefined;
  to?: string | undefined;
}

/** Reads what callers write as the network's addresses. */
export interface AddressBook {
  /** Whom a request is for, as far as its words tell. */
  recipientOf(fields: RecipientFields): Promise<NewSend['recipient']>;
  /** The chat id of a phone number or chat id; `pointer` is where it stands in the request. */
  chatIdOf(text: string, pointer: string): Promise<string>;
}

export function addressBook(database: Database, scope: Scope): AddressBook {
  let country: Promise<string | null> | undefined;
  const defaultCountry = (): Promise<string | null> => {
    country ??= database.read((queries) => findDefaultCountry(queries, scope));
    return country;
  };

  async function chatIdOf(text: string, pointer: string): Promise<string> {
    if (!looksLikePhone(text)) return knownForm(text, pointer);
    const digits = digitsOfPhone(text, namesItsCountry(text) ? null : await defaultCountry());
    if (digits !== null) return chatIdOfPhone(digits);
    throw new EngineError(
      'invalid_recipient',
      "No country has such a number. Write it with its country code, as +5511912345678, or set the tenant's country.",
      { fields: [{ pointer, message: 'is not a possible phone number' }] },
    );
  }

  async function recipientOf({
    conversationId,
    contactId,
    chatId,
    to,
  }: RecipientFields): Promise<NewSend['recipient']> {
    if (conversationId !== undefined) return { conversationId };
    if (contactId !== undefined) return { contactId };
    if (chatId !== undefined) return { chatId: knownForm(chatId, '/chatId') };
    if (to === undefined) {
      throw new EngineError('recipient_required', 'Name the recipient by to, contactId, chatId or conversationId.', {
        fields: [{ pointer: '/to', message: 'is required when no other recipient is named' }],
      });
    }
    return to.startsWith('con_') ? { contactId: to } : { chatId: await chatIdOf(to, '/to') };
  }

  return { recipientOf, chatIdOf };
}

function knownForm(chatId: string, pointer: string): string {
  if (isChatId(chatId)) return canonicalChatId(chatId);
  throw new EngineError('invalid_recipient', 'Send a phone number with its country code, a contactId or a chat id.', {
    fields: [{ pointer, message: 'is not a phone number, contactId or chat id' }],
  });
}
