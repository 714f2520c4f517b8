import type { Database } from '../../db/engine/database.ts';
import type { NewSend } from '../../db/sending/accept.ts';
import { findForwardable, forwardOf } from '../../db/sending/repeat/forward.ts';
import { EngineError, invalid } from '../../domain/error.ts';
import { requireCapability } from '../../domain/network/capabilities.ts';
import { phoneOfChatId } from '../../domain/network/chat-id.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Poll } from '../../domain/network/message-content.ts';
import type { Card } from '../../domain/sending/native/lone-content.ts';
import { partsOf } from '../../domain/sending/parts.ts';
import type { FileToSend } from '../../domain/sending/parts.ts';
import { cardOf } from '../../domain/sending/native/vcard.ts';
import type { CardFields } from '../../domain/sending/native/vcard.ts';
import type { Attachment } from '../../domain/sending/send.ts';
import type { AddressBook } from './recipient.ts';
import { storeFile } from './stored-file.ts';
import type { FileStoring } from './put-file.ts';
import { uploadedFile } from './uploaded-file.ts';

/** The contents that a request may send; a request has exactly one. */
export interface ContentFields {
  attachments?: readonly Attachment[] | undefined;
  mentions?: readonly string[] | undefined;
  location?: { latitude: number; longitude: number; name?: string | undefined } | undefined;
  contacts?: readonly Card[] | undefined;
  poll?: Poll | undefined;
  sticker?: object | undefined;
  forward?: { messageId: string } | undefined;
  replyTo?: string | undefined;
}

type Content = Pick<NewSend, 'parts' | 'forwardsIn'>;

const ALONE = ['location', 'contacts', 'poll', 'sticker', 'forward'] as const;

interface Means {
  book: AddressBook;
  database: Database;
  scope: Scope;
  fileStoring: FileStoring;
}

/** Makes the messages of a request; `textPointer` says where its text stands. */
export async function contentOf(
  means: Means,
  fields: ContentFields,
  { text, textPointer }: { text: string | undefined; textPointer: string },
): Promise<Content> {
  const [alone, another] = ALONE.filter((name) => fields[name] !== undefined);
  if (alone === undefined) return { parts: await wordsAndFiles(means, fields, { text, textPointer }) };
  const beside = another ?? (['attachments', 'mentions'] as const).find((name) => (fields[name]?.length ?? 0) > 0);
  if (beside !== undefined || (text ?? '') !== '') {
    const pointer = beside === undefined ? textPointer : `/${beside}`;
    throw invalid({ pointer, message: `cannot be combined with ${alone}: send it in a separate request` });
  }
  return contentAlone(means, fields);
}

async function contentAlone(
  { book, database, scope }: Means,
  { location, contacts, poll, sticker, forward, replyTo }: ContentFields,
): Promise<Content> {
  if (sticker !== undefined) requireCapability('stickers', null);
  if (location !== undefined) {
    const { name = null, ...degrees } = location;
    const place = { ...degrees, name, address: null, url: null, live: false };
    return { parts: [{ kind: 'location', body: name ?? '', content: { location: place } }] };
  }
  if (contacts !== undefined) {
    const cards = await Promise.all(contacts.map((card, index) => withDigits(book, card, index)));
    const body = cards.map(({ name }) => name).join(', ');
    return { parts: [{ kind: 'contact', body, content: { contacts: cards.map(cardOf) } }] };
  }
  if (poll !== undefined) return { parts: [{ kind: 'poll', body: poll.name, content: { poll } }] };
  if (forward === undefined) throw new Error('A request without a content was taken for one with a content.');
  if (replyTo !== undefined) throw invalid({ pointer: '/replyTo', message: 'cannot be combined with forward' });
  return repeated(database, scope, forward.messageId);
}

/** Reads the number in full, so that the card can be called from any country. */
async function withDigits(book: AddressBook, { phone, ...card }: Card, index: number): Promise<CardFields> {
  const pointer = `/contacts/${index}/phone`;
  const digits = phoneOfChatId(await book.chatIdOf(phone, pointer));
  if (digits === null) throw invalid({ pointer, message: 'is not a phone number' });
  return { ...card, digits };
}

/** The new message shows the words and the file of the one that it repeats. */
async function repeated(database: Database, scope: Scope, messageId: string): Promise<Content> {
  const found = await database.read((queries) => findForwardable(queries, scope, messageId));
  if (!found) {
    throw new EngineError('not_found', 'Message not found, or it has not been sent yet.', {
      fields: [{ pointer: '/forward/messageId', message: 'is not a message that can be forwarded' }],
    });
  }
  if (found.isRevoked) throw invalid({ pointer: '/forward/messageId', message: 'was deleted for everyone' });
  return { parts: [forwardOf(found)], forwardsIn: found.sessionId };
}

async function wordsAndFiles(
  { book, database, scope, fileStoring }: Means,
  { attachments = [], mentions = [] }: ContentFields,
  { text, textPointer }: { text: string | undefined; textPointer: string },
): Promise<Content['parts']> {
  const named = await Promise.all(mentions.map((person, index) => book.chatIdOf(person, `/mentions/${index}`)));
  const files: FileToSend[] = [];
  // One after the other, because each is in memory.
  for (const [index, attachment] of attachments.entries()) {
    files.push(await fileOf(attachment, `/attachments/${index}`, { database, scope, fileStoring }));
  }
  const parts = partsOf({ text, attachments: files, mentions: named });
  if (parts.length === 0) {
    throw new EngineError('content_required', 'Send a text, attachments, or both, or another kind of content.', {
      fields: [{ pointer: textPointer, message: 'is required if there is no other content' }],
    });
  }
  return parts;
}

/** Exactly one of its address, its id and its bytes says which file it is. */
async function fileOf(
  { url, fileId, data, ...file }: Attachment,
  pointer: string,
  { database, scope, fileStoring }: Omit<Means, 'book'>,
): Promise<FileToSend> {
  const [given, another] = Object.entries({ url, fileId, data }).flatMap(([name, value]) => (value ? [name] : []));
  if (another !== undefined) {
    throw invalid({ pointer: `${pointer}/${another}`, message: `cannot be combined with ${given}: send one of them` });
  }
  if (url !== undefined) return { ...file, url };
  const { kind, caption, mimeType, fileName } = file;
  if (fileId !== undefined) {
    const named = { scope, kind, fileId, mimeType, fileName, pointer: `${pointer}/fileId` };
    return { kind, caption, media: await uploadedFile(named, { database, fileStoring }) };
  }
  if (data === undefined) throw invalid({ pointer: `${pointer}/url`, message: 'is required, or fileId, or data' });
  const inBody = { scope, kind, data, mimeType, fileName, pointer: `${pointer}/data` };
  const media = await storeFile(inBody, { database, fileStoring });
  return { kind, caption, media };
}
