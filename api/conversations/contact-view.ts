import type { Contact } from '../../domain/contact.ts';
import type { KnownContact, NamedContact } from '../../db/conversations/known-contact.ts';
import type { MediaLinks } from '../../db/conversations/media-links.ts';
import type { Database } from '../../db/engine/database.ts';
import { invalid } from '../../domain/error.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import type { Scope } from '../../domain/scope.ts';
import { addressBook } from '../sending/recipient.ts';

export function toContact(contact: KnownContact, mediaLinks: MediaLinks): Contact {
  return { ...contact, picture: contact.picture === null ? null : mediaLinks.urlOf(contact.contactId) };
}

/** Reads whom a text names: a contactId, a phone in any usual writing, a chat id or a hidden id. */
export async function namedContact(
  database: Database,
  scope: Scope,
  { ref, pointer }: { ref: string; pointer: string },
): Promise<NamedContact> {
  if (/^con_/i.test(ref)) return { contactId: ref };
  const chatId = await addressBook(database, scope).chatIdOf(ref, pointer);
  const kind = chatKind(chatId);
  if (kind === 'phone' || kind === 'lid') return { chatId };
  throw invalid(
    { pointer, message: 'is the chat id of a group or a channel' },
    'Name one person: a phone number with country code, a contactId, a chat id (@c.us) or a hidden id ' +
      '(@lid). GET /api/v1/inbox/chats lists groups.',
  );
}
