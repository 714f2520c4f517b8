import { pastChatId, pastIndexOf, pastMessages } from '../history/past.ts';
import { bareId } from '../ids.ts';
import type { Account, Chat, Session, StoredMessage } from '../state/session.ts';
import { accountOf, engineOf } from './core.ts';
import type { Core } from './core.ts';

/** A chat with the messages under both ids of its contact. */
export interface MergedChat {
  id: string;
  name: string | undefined;
  last: StoredMessage | undefined;
  unread: number;
}

/** Tells whether chats can be read: NOWEB keeps nothing to read unless the session was created with its store. */
export function hasStore(core: Core, session: Session): boolean {
  return engineOf(core, session) !== 'NOWEB' || session.config.noweb?.store?.enabled === true;
}

const later = (a: StoredMessage, b: StoredMessage): number => a.timestamp - b.timestamp || a.order - b.order;

/** Lists the chats, latest first; a contact's phone and hidden id are one chat, under the id used last. */
export function chatsOf(account: Account): MergedChat[] {
  const merged = new Map<string, MergedChat>();
  for (const chat of account.chats.values()) {
    const last = lastOf(chat);
    const twin = merged.get(account.aliases.get(chat.id) ?? '');
    const name = chat.name ?? account.contacts.get(chat.id)?.name ?? account.contacts.get(chat.id)?.pushname;
    if (!twin) {
      merged.set(chat.id, { id: chat.id, name, last, unread: chat.unread });
      continue;
    }
    merged.delete(twin.id);
    const newer = twin.last && last && later(twin.last, last) > 0 ? twin : { id: chat.id, last };
    const together = { id: newer.id, last: newer.last, name: twin.name ?? name, unread: twin.unread + chat.unread };
    merged.set(newer.id, together);
  }
  for (const chat of pastChats(account)) if (!merged.has(chat.id)) merged.set(chat.id, chat);
  return [...merged.values()].sort((a, b) => (a.last && b.last ? later(b.last, a.last) : a.last ? -1 : 1));
}

/** Lists the chats of a long past, each with its newest message. */
function pastChats({ past }: Account): MergedChat[] {
  if (past === null) return [];
  return Array.from({ length: past.chats }, (_, index) => {
    const [last] = pastMessages(past, index, { limit: 1, offset: 0 });
    return { id: pastChatId(index), name: `Past ${index}`, last, unread: 0 };
  });
}

/** False for a message that only the network and its recipient know of, as yet or for good. */
function isShown({ relayed, shownFrom = 0 }: StoredMessage): boolean {
  return !relayed && shownFrom <= Date.now();
}

function lastOf(chat: Chat): StoredMessage | undefined {
  let last: StoredMessage | undefined;
  for (const message of chat.messages) {
    if (isShown(message) && (!last || later(message, last) > 0)) last = message;
  }
  return last;
}

/**
 * Reads a page of a chat's messages, the newest first. Messages of a long past follow after all others, and only the
 * page is made.
 */
export function newestMessages(account: Account, chatId: string, { limit, offset }: { limit: number; offset: number }) {
  const listed = messagesOf(account, chatId, () => true).reverse();
  const page = listed.slice(offset, offset + limit);
  const index = account.past === null ? undefined : pastIndexOf(account.past, chatId);
  if (account.past === null || index === undefined || page.length === limit) return page;
  const rest = { limit: limit - page.length, offset: Math.max(offset - listed.length, 0) };
  return [...page, ...pastMessages(account.past, index, rest)];
}

/** Lists the messages of a chat, or with `all` of the account, oldest first. */
export function messagesOf(account: Account, chatId: string, keep: (message: StoredMessage) => boolean) {
  return [...within(account, chatId)].filter((message) => isShown(message) && keep(message)).sort(later);
}

function within(account: Account, chatId: string): Iterable<StoredMessage> {
  if (chatId === 'all') return account.messages.values();
  const alias = account.aliases.get(chatId);
  return [chatId, alias].flatMap((id) => account.chats.get(id ?? '')?.messages ?? []);
}

export function findMessage(session: Session, messageId: string): StoredMessage | undefined {
  const message = accountOf(session).messages.get(bareId(messageId));
  return message && isShown(message) ? message : undefined;
}
