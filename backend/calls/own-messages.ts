import { z } from 'zod';
import type { AckLevel } from '../../domain/network/ack.ts';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { errorWordsOf } from '../http/answer.ts';
import type { createCapabilities } from './capabilities.ts';
import { messagesPath } from './history.ts';
import type { Http } from '../http/http.ts';
import { serializeMessageId } from '../events/message-id.ts';
import { toNetworkMessage } from '../events/message.ts';
import { answerTo, parseAnswer, read } from '../http/read.ts';
import { unreadable } from '../http/refusal.ts';

export interface OwnMessage {
  session: string;
  chatId: string;
  networkId: string;
  /** The engine behind the session; the backend's own where it is not known. */
  platform?: string | null | undefined;
}

export interface OwnMessages {
  session: string;
  chatId: string;
  /** Unix seconds; the bound itself is included. */
  sinceUnix: number;
  limit: number;
}

/**
 * The reads that settle an uncertain send (`docs/backend.md#sending`, 5). "Not there" leads to a second send, so they
 * answer it only when the backend has said so in words that were understood.
 */
export function createOwnMessageCalls(
  http: Http,
  capabilities: ReturnType<typeof createCapabilities>,
  timeoutMs: number,
) {
  async function findOwnMessage({ session, chatId, networkId, platform }: OwnMessage): Promise<NetworkMessage | null> {
    const doing = 'find the message';
    const { findsByBareId } = await capabilities(platform);
    const answer = await answerTo(http, {
      method: 'GET',
      path: findsByBareId
        ? `${messagesPath(session, 'all')}/${encodeURIComponent(networkId)}`
        : `${messagesPath(session, chatId)}/${encodeURIComponent(serializeMessageId({ fromMe: true, chatId, networkId }))}`,
      query: { downloadMedia: false },
      timeoutMs,
      doing,
    });
    if (answer.status === 404 && /message not found/i.test(errorWordsOf(answer).text)) return null;
    const raw = parseAnswer(answer, z.unknown(), doing);
    if (raw === null) return null;
    const message = toNetworkMessage(raw);
    if (message === null || message.networkId !== networkId) throw unreadable(doing);
    return message.fromMe ? message : null;
  }

  /** Answers how far the network has confirmed it; null when it does not show the message or does not say. */
  async function readAck(message: OwnMessage): Promise<AckLevel | null> {
    return (await findOwnMessage(message))?.ack ?? null;
  }

  /**
   * Lists messages, newest first. One that cannot be read fails the whole, because it could be the one that is looked for.
   */
  async function listOwnMessages({ session, chatId, sinceUnix, limit }: OwnMessages): Promise<NetworkMessage[]> {
    const doing = 'list the own messages';
    const items = await read(http, z.array(z.unknown()), {
      method: 'GET',
      path: messagesPath(session, chatId),
      query: {
        limit,
        sortBy: 'timestamp',
        sortOrder: 'desc',
        downloadMedia: false,
        'filter.fromMe': true,
        'filter.timestamp.gte': Math.floor(sinceUnix),
      },
      timeoutMs,
      doing,
    });
    return (
      items
        .map((item) => {
          const message = toNetworkMessage(item);
          if (message === null) throw unreadable(doing);
          return message;
        })
        // An engine may not know a filter; a message without a time stays, for it cannot be ruled out.
        .filter(({ fromMe, timestamp }) => fromMe && (timestamp === 0 || timestamp >= Math.floor(sinceUnix)))
    );
  }

  return { findOwnMessage, readAck, listOwnMessages };
}
