import { z } from 'zod';
import type { NetworkMedia } from '../../../domain/network/network-event.ts';
import { toNetworkMessage } from '../events/message.ts';
import { serializeMessageId } from '../events/message-id.ts';
import { errorWordsOf } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { answerTo, parseAnswer } from '../http/read.ts';
import type { createCapabilities } from './capabilities.ts';
import { messagesPath } from './history.ts';

export interface MessageWithFile {
  session: string;
  chatId: string;
  networkId: string;
  fromMe: boolean;
  /** The group member who wrote it. */
  participant: string | null;
  platform: string | null;
}

/** The backend fetches the file from the network, five times if need be, before it answers. */
const TIMEOUT_MS = 120_000;

export function createMessageFileCalls(http: Http, capabilities: ReturnType<typeof createCapabilities>) {
  /**
   * Asks the backend to fetch a message's file from the network again; `url` of the answer is the file's new address,
   * null when the backend could not. Null when the backend does not know the message, or shows it without a file.
   */
  async function askForFile(message: MessageWithFile): Promise<NetworkMedia | null> {
    const { session, chatId, networkId, platform } = message;
    const doing = 'fetch the file of a message';
    const { findsByBareId } = await capabilities(platform);
    const answer = await answerTo(http, {
      method: 'GET',
      path: findsByBareId
        ? `${messagesPath(session, 'all')}/${encodeURIComponent(networkId)}`
        : `${messagesPath(session, chatId)}/${encodeURIComponent(serializeMessageId(message))}`,
      query: { downloadMedia: true },
      timeoutMs: TIMEOUT_MS,
      doing,
    });
    if (answer.status === 404 && /message not found/i.test(errorWordsOf(answer).text)) return null;
    return toNetworkMessage(parseAnswer(answer, z.unknown(), doing))?.media ?? null;
  }

  return { askForFile };
}
