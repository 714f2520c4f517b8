import { isConversation } from '../../domain/network/chat-id.ts';
import type { MessageChange } from '../../domain/network/message-change.ts';
import type { NetworkChat, NetworkMessage, OwnAddresses } from '../../domain/network/network-event.ts';
import type { CallsOf, SessionPlace } from './backends.ts';

const CHATS_PER_PAGE = 20;
const MESSAGES_PER_PAGE = 50;

type Lists = CallsOf<'listChats' | 'listMessages'>;

/** The part of a time that the backend shows. `isCut`: the backend has more than was asked for. */
interface Shown<Each> {
  shown: Each[];
  isCut: boolean;
}

/** Lists the chats in which something was said since then, the newest first, and no channels. */
export async function chatsSince(
  backends: Lists,
  session: SessionPlace & OwnAddresses,
  { since, maxPages }: { since: Date; maxPages: number },
): Promise<Shown<NetworkChat>> {
  const found: NetworkChat[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const place = { session: session.name, me: session, limit: CHATS_PER_PAGE, offset: page * CHATS_PER_PAGE };
    const { items, listed } = await backends.of(session).listChats(place);
    const told = items.filter(({ lastAt }) => lastAt !== null);
    const young = told.filter(({ lastAt }) => isSince(lastAt ?? 0, since));
    found.push(...young.filter(({ chatId }) => isConversation(chatId)));
    // Backends that show two addresses as one chat list pages that are short although more follow. Chats in which
    // nothing was said yet stand among the others.
    if (listed === 0 || (told.length > 0 && young.length === 0)) return { shown: found, isCut: false };
  }
  return { shown: found, isCut: true };
}

/**
 * The messages of a chat that the backend shows, and their changes. Changes of older messages on the same pages are
 * included.
 */
export interface ShownChat extends Shown<NetworkMessage> {
  changes: MessageChange[];
}

/** Lists what was written in a chat since then, the newest first. */
export async function messagesSince(
  backends: Lists,
  session: SessionPlace & OwnAddresses,
  { chatId, since, maxPages }: { chatId: string; since: Date; maxPages: number },
): Promise<ShownChat> {
  const found: NetworkMessage[] = [];
  const changes: MessageChange[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const offset = page * MESSAGES_PER_PAGE;
    const place = { session: session.name, me: session, chatId, limit: MESSAGES_PER_PAGE, offset };
    const { items, listed, changes: ofPage } = await backends.of(session).listMessages(place);
    const young = items.filter(({ timestamp }) => isSince(timestamp, since));
    found.push(...young);
    changes.push(...ofPage);
    if (listed < MESSAGES_PER_PAGE || young.length < items.length) return { shown: found, changes, isCut: false };
  }
  return { shown: found, changes, isCut: true };
}

function isSince(timestampS: number, since: Date): boolean {
  return timestampS * 1_000 >= since.getTime();
}
