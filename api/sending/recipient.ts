import { findContactId, isContactInScope } from '../../db/conversations/contact.ts';
import type { NewSend } from '../../db/sending/accept.ts';
import type { Database } from '../../db/engine/database.ts';
import { findImpliedConversation } from '../../db/conversations/implied-conversation.ts';
import { findDefaultRecipient } from '../../db/tenants/default-recipient.ts';
import { findKnownChatId, findNumberContext } from '../../db/tenants/tenant.ts';
import { canonicalChatId, chatIdOfPhone, chatKind, isChatId } from '../../domain/network/chat-id.ts';
import { otherForms } from '../../domain/network/phone-forms.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { isBareDigits, looksLikePhone, namesItsCountry, readPhone } from './phone.ts';

/** The fields by which a request may name its recipient; the first one given counts. */
export interface RecipientFields {
  conversationId?: string | undefined;
  contactId?: string | undefined;
  chatId?: string | undefined;
  to?: string | undefined;
  /** The message that is quoted: its conversation is meant if nobody is named. */
  replyTo?: string | undefined;
}

/** Turns what callers write into the network's addresses. */
export interface AddressBook {
  /** Returns the recipient that the request's fields name, or else the only one that it can mean. */
  recipientOf(fields: RecipientFields): Promise<NewSend['recipient']>;
  /** Returns the chat id for a phone number or a chat id; `pointer` says where that text stands in the request. */
  chatIdOf(text: string, pointer: string): Promise<string>;
  /** Returns the form in which a recipient is kept for later: a contactId, or a chat id that no setting reads anew. */
  keptFormOf(text: string, pointer: string): Promise<string>;
}

/** Facts beside the scope that decide: the key, and a country that the request is setting. */
interface Beside {
  keyId?: string;
  country?: string | null | undefined;
}

export function addressBook(database: Database, scope: Scope, { keyId, country: own }: Beside = {}): AddressBook {
  async function chatIdOf(text: string, pointer: string): Promise<string> {
    if (!looksLikePhone(text)) return knownForm(text, pointer);
    const asWritten = chatIdOfPhone(text);
    const { country, isKnown } = namesItsCountry(text)
      ? { country: null, isKnown: false }
      : await database.read((queries) => findNumberContext(queries, scope, asWritten));
    const home = own === undefined ? country : own;
    // Digits that the engine has shown in an event or a chat mean that contact, whatever the tenant's country.
    if (isKnown && isBareDigits(text)) return knownSpelling(asWritten, text.trim());
    const read = readPhone(text, home);
    if ('digits' in read) return knownSpelling(chatIdOfPhone(read.digits), read.digits);
    throw read.problem === 'ambiguous' ? ambiguous(pointer) : impossible(pointer);
  }

  /** A person whom the tenant knows is the same person in every spelling of the number. */
  async function knownSpelling(chatId: string, digits: string): Promise<string> {
    const others = otherForms(digits).map(chatIdOfPhone);
    if (others.length === 0) return chatId;
    return (await database.read((queries) => findKnownChatId(queries, scope, [chatId, ...others]))) ?? chatId;
  }

  async function recipientOf({
    conversationId,
    contactId,
    chatId,
    to,
    replyTo,
  }: RecipientFields): Promise<NewSend['recipient']> {
    if (conversationId !== undefined) return { conversationId };
    if (contactId !== undefined) return { contactId };
    if (chatId !== undefined) return { chatId: knownForm(chatId, '/chatId') };
    if (to !== undefined) return isContactId(to) ? { contactId: to } : { chatId: await chatIdOf(to, '/to') };
    const { sessionId } = scope;
    // With a key of several sessions, a quoted message or a lone conversation would choose the session, too.
    const implied = async (quoted: string | null): Promise<string | null> =>
      sessionId && database.read((queries) => findImpliedConversation(queries, { ...scope, sessionId }, quoted));
    if (replyTo !== undefined) {
      const quoted = await implied(replyTo);
      if (quoted !== null) return { conversationId: quoted };
    }
    const usual = keyId && (await database.read((queries) => findDefaultRecipient(queries, scope, keyId)));
    if (usual) return isContactId(usual) ? { contactId: usual } : { chatId: usual };
    if (replyTo !== undefined && sessionId !== null) throw notFound('message', '/replyTo');
    const only = await implied(null);
    if (only === null) throw noRecipient();
    return { conversationId: only };
  }

  async function keptFormOf(text: string, pointer: string): Promise<string> {
    if (!isContactId(text)) return chatIdOf(text, pointer);
    const contactId = await database.read(async (queries) => {
      const found = await findContactId(queries, scope, { contactId: text });
      return found !== null && (await isContactInScope(queries, scope, found)) ? found : null;
    });
    if (contactId === null) throw notFound('contact', pointer);
    return contactId;
  }

  return { recipientOf, chatIdOf, keptFormOf };
}

function isContactId(text: string): boolean {
  return text.startsWith('con_');
}

function noRecipient(): EngineError {
  return new EngineError(
    'recipient_required',
    'Name the recipient with to, contactId, chatId or conversationId. For requests that name none, set ' +
      'defaultRecipient with PUT /api/v1/tenants/{tenantId}/settings, or on the key with POST /api/v1/api-keys. A ' +
      "session's key may also quote a message with replyTo, or omit the recipient in its session's only conversation.",
    { fields: [{ pointer: '/to', message: 'is required when no other recipient is named' }] },
  );
}

function impossible(pointer: string): EngineError {
  return new EngineError(
    'invalid_recipient',
    "No such number exists. Write it with + and its country code, as in +5511912345678, or set the tenant's country.",
    { fields: [{ pointer, message: 'is not a phone number in use' }] },
  );
}

function ambiguous(pointer: string): EngineError {
  return new EngineError(
    'invalid_recipient',
    "It is a number in the tenant's country, and also one in another country if its first digits are read as a " +
      'country code. Write it with + and its country code, or with its area code in brackets.',
    { fields: [{ pointer, message: 'can be read as two phone numbers' }] },
  );
}

function knownForm(chatId: string, pointer: string): string {
  if (isChatId(chatId)) {
    const known = canonicalChatId(chatId);
    if (chatKind(known) !== 'other') return known;
    throw new EngineError(
      'invalid_recipient',
      'A channel is not a conversation: write to it with POST /api/sendText, the route of the backend.',
      {
        fields: [{ pointer, message: 'is a channel' }],
      },
    );
  }
  throw new EngineError('invalid_recipient', 'Send a phone number with its country code, a contactId or a chat id.', {
    fields: [{ pointer, message: 'is not a phone number, contactId or chat id' }],
  });
}
