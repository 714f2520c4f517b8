/**
 * The kinds of addresses of the network: `<digits>@c.us` is a phone, `<id>@lid` a hidden id, `<id>@g.us` a group.
 * Source: `docs/extend/backend.md#ids`, 2.
 */
export type ChatKind = 'phone' | 'lid' | 'group' | 'other';

const SUFFIX_KINDS: Record<string, ChatKind> = { 'c.us': 'phone', lid: 'lid', 'g.us': 'group' };

/** The chat in which WhatsApp itself writes to its users. Nobody reads an answer. */
export const NETWORK_ACCOUNT = '0@c.us';

export function chatKind(chatId: string): ChatKind {
  return SUFFIX_KINDS[serverOf(chatId)] ?? 'other';
}

/** Servers of addresses that are no conversations: channels, stories and broadcast lists. */
const NO_CONVERSATIONS: ReadonlySet<string> = new Set(['newsletter', 'broadcast']);

/** True for a person or a group, also under an address of a kind that the engine does not know. */
export function isConversation(chatId: string): boolean {
  return !NO_CONVERSATIONS.has(serverOf(chatId));
}

/** Answers the last part of an address, such as `c.us`. */
export function serverOf(chatId: string): string {
  return chatId.slice(chatId.lastIndexOf('@') + 1);
}

/**
 * Other names of the servers of addresses: the engine's internal one, and those of accounts that a business has hosted
 * (whatsmeow, types/jid.go; Baileys, `cleanMessage`).
 */
const SAME_SERVERS: ReadonlyMap<string, string> = new Map([
  ['s.whatsapp.net', 'c.us'],
  ['hosted', 'c.us'],
  ['hosted.lid', 'lid'],
]);

/** Gives each address one spelling: it folds other names of its server and device suffixes away. */
export function canonicalChatId(raw: string): string {
  const at = raw.lastIndexOf('@');
  if (at < 0) return `${digitsOf(raw)}@c.us`;
  const server = raw.slice(at + 1).toLowerCase();
  const user = raw.slice(0, at).split(':')[0] ?? '';
  return `${user}@${SAME_SERVERS.get(server) ?? server}`;
}

export function chatIdOfPhone(phone: string): string {
  return `${digitsOf(phone)}@c.us`;
}

/** Answers the phone's digits, or null where the address is not a phone. */
export function phoneOfChatId(chatId: string): string | null {
  return chatKind(chatId) === 'phone' ? chatId.slice(0, chatId.lastIndexOf('@')) : null;
}

/**
 * Picks the address that dashboards see: the digits of the first phone among the addresses, else the first address as
 * it is.
 */
export function shownAddress(first: string, ...others: (string | null | undefined)[]): string {
  const phones = [first, ...others].map((address) => (address ? phoneOfChatId(address) : null));
  return phones.find((phone) => phone !== null) ?? first;
}

/**
 * Matches the addresses of the network. A phone has a country code and at most 15 digits (E.164); the id of an old
 * group is its maker's number and a time.
 */
const CHAT_ID =
  /^(\d{5,15}(:\d{1,3})?@(c\.us|s\.whatsapp\.net)|\d{1,32}(:\d{1,3})?@lid|\d{1,32}(-\d{1,32})?@g\.us|\d{1,32}@newsletter)$/;

export function isChatId(text: string): boolean {
  return CHAT_ID.test(text);
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}
