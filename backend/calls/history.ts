import { z } from 'zod';
import type { MessageChange } from '../../domain/network/message-change.ts';
import type { NetworkChat, NetworkMessage } from '../../domain/network/network-event.ts';
import { toNetworkChat } from './chat.ts';
import type { Http } from '../http/http.ts';
import { shownChanges } from '../events/changes/shown.ts';
import { toNetworkMessage } from '../events/message.ts';
import { read } from '../http/read.ts';

export interface ChatPage {
  session: string;
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
  async function listChats({ session, limit, offset }: ChatPage): Promise<Page<NetworkChat>> {
    const items = await read(http, Items, {
      method: 'GET',
      path: `/api/${encodeURIComponent(session)}/chats/overview`,
      query: { limit, offset },
      timeoutMs,
      doing: 'list the chats',
    });
    return pageOf(items, toNetworkChat);
  }

  /** Lists messages, newest first. */
  async function listMessages({ session, chatId, limit, offset }: MessagePage): Promise<MessagesPage> {
    const items = await read(http, Items, {
      method: 'GET',
      path: messagesPath(session, chatId),
      query: { limit, offset, sortBy: 'timestamp', sortOrder: 'desc', downloadMedia: false },
      timeoutMs,
      doing: 'list the messages',
    });
    return { ...pageOf(items, (item) => toNetworkMessage(item)), changes: items.flatMap(shownChanges) };
  }

  return { listChats, listMessages };
}

function pageOf<Item>(items: readonly unknown[], parse: (item: unknown) => Item | null): Page<Item> {
  return { items: items.map(parse).filter((item) => item !== null), listed: items.length };
}

/** Makes the path of a chat's messages; `chatId` may be `all` on engines that find messages by their bare id. */
export function messagesPath(session: string, chatId: string): string {
  return `/api/${encodeURIComponent(session)}/chats/${encodeURIComponent(chatId)}/messages`;
}
