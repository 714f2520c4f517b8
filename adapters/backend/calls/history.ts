import { z } from 'zod';
import type { MessageChange } from '../../../domain/network/message-change.ts';
import type { NetworkChat, NetworkMessage, OwnAddresses } from '../../../domain/network/network-event.ts';
import type { Http } from '../http/http.ts';
import { shownChanges } from '../events/changes/shown.ts';
import { toNetworkMessage } from '../events/message.ts';
import { isTime, Address, Anything, Numeric, pastSeconds, Text } from '../events/raw.ts';
import { read } from '../http/read.ts';
import { addressOf } from '../events/message-id.ts';

export interface ChatPage {
  session: string;
  /** The session's own account: what stands in its own chat comes from no customer, whatever an entry says. */
  me: OwnAddresses;
  limit: number;
  offset: number;
}

export interface MessagePage extends ChatPage {
  chatId: string;
}

const Items = z.array(z.unknown());

/**
 * A page of a list. `listed` counts all entries of the backend's page, also those that cannot be read: a page is the
 * last one when it lists fewer than were asked for, however few of them are known.
 */
export interface Page<Item> {
  items: Item[];
  listed: number;
}

/** A page of a chat, with what it shows was done to its messages. */
export interface MessagesPage extends Page<NetworkMessage> {
  changes: MessageChange[];
}

/** Reads the backend's view of the past. These reads never download media, which would make them slow. */
export function createHistoryCalls(http: Http, timeoutMs: number) {
  /** Lists chats, newest first. Channels and stories are listed, too; `chatKind` tells them apart. */
  async function listChats({ session, me, limit, offset }: ChatPage): Promise<Page<NetworkChat>> {
    const items = await read(http, Items, {
      method: 'GET',
      path: `/api/${encodeURIComponent(session)}/chats/overview`,
      query: { limit, offset },
      timeoutMs,
      doing: 'list the chats',
    });
    return pageOf(items, (item) => toNetworkChat(item, me));
  }

  /** Lists messages, newest first. */
  async function listMessages({ session, me, chatId, limit, offset }: MessagePage): Promise<MessagesPage> {
    const items = await read(http, Items, {
      method: 'GET',
      path: messagesPath(session, chatId),
      query: { limit, offset, sortBy: 'timestamp', sortOrder: 'desc', downloadMedia: false },
      timeoutMs,
      doing: 'list the messages',
    });
    const page = pageOf(items, (item) => toNetworkMessage(item, { me }));
    const changes = items.flatMap((item) => shownChanges(item, me));
    return { items: withTimes(page.items), listed: page.listed, changes };
  }

  return { listChats, listMessages };
}

function pageOf<Item>(items: readonly unknown[], parse: (item: unknown) => Item | null): Page<Item> {
  return { items: items.map(parse).filter((item) => item !== null), listed: items.length };
}

/**
 * Gives a message without a time that of the next older one, or else of the next newer one, of a list that begins with
 * the newest. Without it, the message would count as older than all others and end the reading of its chat.
 */
function withTimes(messages: readonly NetworkMessage[]): NetworkMessage[] {
  return messages.map((message, place) => {
    if (isTime(message.timestamp)) return message;
    const near = messages.slice(place).find(hasTime) ?? messages.slice(0, place).findLast(hasTime);
    return { ...message, timestamp: near?.timestamp ?? 0 };
  });
}

function hasTime({ timestamp }: NetworkMessage): boolean {
  return isTime(timestamp);
}

/** Makes the path of a chat's messages; `chatId` may be `all` on engines that find messages by their bare id. */
export function messagesPath(session: string, chatId: string): string {
  return `/api/${encodeURIComponent(session)}/chats/${encodeURIComponent(chatId)}/messages`;
}

const RawTime = z.object({ timestamp: Numeric });
const RawChat = z.object({
  id: Address,
  name: Text,
  picture: Text,
  lastMessage: Anything,
  // The raw object of the engine below; only WEBJS counts unread messages in it.
  _chat: z.object({ unreadCount: Numeric }).nullable().catch(null),
});

/** Reads one entry of the chat overview; null when the entry does not say which chat it is. */
function toNetworkChat(raw: unknown, me: OwnAddresses): NetworkChat | null {
  const parsed = RawChat.safeParse(raw);
  const chatId = parsed.success ? addressOf(parsed.data.id) : null;
  if (!parsed.success || chatId === null) return null;
  const unread = parsed.data._chat?.unreadCount ?? null;
  const lastAt = RawTime.safeParse(parsed.data.lastMessage).data?.timestamp ?? null;
  return {
    chatId,
    name: parsed.data.name,
    pictureUrl: parsed.data.picture,
    // WEBJS marks a chat unread by hand with -1.
    unreadCount: unread === null ? null : Math.max(0, Math.floor(unread)),
    lastMessage: toNetworkMessage(parsed.data.lastMessage, { me }),
    lastAt: isTime(lastAt) ? pastSeconds(lastAt) : null,
  };
}
