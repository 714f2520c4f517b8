import { z } from 'zod';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
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
  /** The engine behind the session; without it the engine that the backend names counts. */
  platform?: string | null | undefined;
}

export interface OwnMessages {
  session: string;
  chatId: string;
  /** Unix seconds; a message of exactly this second is listed, too. */
  sinceUnix: number;
  limit: number;
}

/**
 * The reads that settle an uncertain send (`docs/extend/backend.md#sending`, 5). "Not there" leads to a second send, so
 * these reads say it only when the backend has said so in words that the engine knows.
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

  /** Returns the message's ack; null when the backend does not show the message or does not tell its ack. */
  async function readAck(message: OwnMessage): Promise<AckLevel | null> {
    return (await findOwnMessage(message))?.ack ?? null;
  }

  /**
   * Lists messages, newest first. An unreadable message fails the whole list, because it could be the message that the
   * caller looks for.
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
        // The engine below may ignore a filter, so this filters again. A message without a time stays, because it could
        // be the one that the caller looks for.
        .filter(({ fromMe, timestamp }) => fromMe && (timestamp === 0 || timestamp >= Math.floor(sinceUnix)))
    );
  }

  return { findOwnMessage, readAck, listOwnMessages };
}
