import { canonicalChatId } from '../../../domain/network/chat-id.ts';
import { serializeMessageId } from '../events/message-id.ts';
import type { Http } from '../http/http.ts';
import { classifySend } from '../send/outcome.ts';
import type { SendOutcome } from '../send/outcome.ts';
import { messagesPath } from './history.ts';

export interface NamedMessage {
  session: string;
  chatId: string;
  networkId: string;
  fromMe: boolean;
  /** The member of the group who wrote it. */
  participant: string | null;
}

/** The outcome of a call that changes a message; `networkId` is the change's own id, where the answer names one. */
export type ActionOutcome = SendOutcome;

/** No call lasts longer, also one that waits for a session. */
export const ACTION_TIMEOUT_MS = 30_000;

/**
 * Changes messages that the network has. Each call says what shall be, not what shall happen, so one that is repeated
 * changes nothing more (`docs/extend/backend.md#changes`).
 */
export function createMessageActionCalls(http: Http) {
  async function call(
    request: { method: 'PUT' | 'DELETE'; path: string; body?: Record<string, unknown> },
    { chatId, networkId }: NamedMessage,
  ): Promise<ActionOutcome> {
    const answer = await http.call({ ...request, timeoutMs: ACTION_TIMEOUT_MS });
    return classifySend(answer, { chatId, networkId });
  }

  const pathOf = (message: NamedMessage): string =>
    `${messagesPath(message.session, message.chatId)}/${encodeURIComponent(idOf(message))}`;

  return {
    editMessage: (message: NamedMessage, text: string) =>
      call({ method: 'PUT', path: pathOf(message), body: { text, linkPreview: false } }, message),
    revokeMessage: (message: NamedMessage) => call({ method: 'DELETE', path: pathOf(message) }, message),
    /** An empty emoji takes the reaction away. */
    reactTo: (message: NamedMessage, emoji: string) =>
      call(
        {
          method: 'PUT',
          path: '/api/reaction',
          body: { session: message.session, messageId: idOf(message), reaction: emoji },
        },
        message,
      ),
  };
}

function idOf({ chatId, ...id }: NamedMessage): string {
  return serializeMessageId({ ...id, chatId: canonicalChatId(chatId) });
}
