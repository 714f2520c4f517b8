import { z } from 'zod';
import type { NetworkChat, NetworkMessage } from '../../domain/network/network-event.ts';
import { toNetworkChat } from './chat.ts';
import type { Http } from '../http/http.ts';
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

/** Reads the backend's view of the past. These reads never download media, which would make them slow. */
export function createHistoryCalls(http: Http, timeoutMs: number) {
  /**
   * Lists chats, newest first. Channels and stories are listed, too, so that a page's length still says whether there
   * is more; `chatKind` tells them apart.
   */
  async function listChats({ session, limit, offset }: ChatPage): Promise<NetworkChat[]> {
    const items = await read(http, Items, {
      method: 'GET',
      path: `/api/${encodeURIComponent(session)}/chats/overview`,
      query: { limit, offset },
      timeoutMs,
      doing: 'list the chats',
    });
    return items.map(toNetworkChat).filter((chat) => chat !== null);
  }

  /** Lists messages, newest first. */
  async function listMessages({ session, chatId, limit, offset }: MessagePage): Promise<NetworkMessage[]> {
    const items = await read(http, Items, {
      method: 'GET',
      path: messagesPath(session, chatId),
      query: { limit, offset, sortBy: 'timestamp', sortOrder: 'desc', downloadMedia: false },
      timeoutMs,
      doing: 'list the messages',
    });
    return items.map((item) => toNetworkMessage(item)).filter((message) => message !== null);
  }

  return { listChats, listMessages };
}

/** Makes the path of a chat's messages; `chatId` may be `all` on engines that find messages by their bare id. */
export function messagesPath(session: string, chatId: string): string {
  return `/api/${encodeURIComponent(session)}/chats/${encodeURIComponent(chatId)}/messages`;
}
