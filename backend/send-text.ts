import { canonicalChatId, isChatId } from '../domain/chat-id.ts';
import type { Http } from './http.ts';
import { serializeMessageId } from './message-id.ts';
import { classifySend } from './send-outcome.ts';
import type { SendOutcome } from './send-outcome.ts';

export interface TextToSend {
  session: string;
  chatId: string;
  text: string;
  /** Chosen before the call, where the backend supports it. */
  networkId?: string | null;
  replyToNetworkId?: string | null;
  /** Whether the message replied to is our own; replies to others are the rule. */
  replyToFromMe?: boolean;
}

/** Sends once and says what came of it; never throws for anything the backend or the network does. */
export async function sendText(
  http: Http,
  message: TextToSend,
  call: { timeoutMs: number; signal: AbortSignal | undefined },
): Promise<SendOutcome> {
  const networkId = message.networkId ?? null;
  // The backend does not check bodies of sends: a missing field is a 500, which would look uncertain (contract, 0.10).
  if (!isChatId(message.chatId) || message.text === '' || message.session === '') {
    return { outcome: 'not_sent', retry: 'never', reason: 'backend_refused', detail: 'invalid_request' };
  }
  const chatId = canonicalChatId(message.chatId);
  const result = await http.call({
    method: 'POST',
    path: '/api/sendText',
    body: {
      session: message.session,
      chatId,
      text: message.text,
      ...(networkId === null ? {} : { id: networkId }),
      ...replyTo(message, chatId),
    },
    ...call,
  });
  return classifySend(result, { chatId, networkId });
}

/** `reply_to` takes the whole id on every engine, the bare one only on some. */
function replyTo(message: TextToSend, chatId: string): { reply_to?: string } {
  const networkId = message.replyToNetworkId ?? null;
  if (networkId === null) return {};
  return { reply_to: serializeMessageId({ fromMe: message.replyToFromMe ?? false, chatId, networkId }) };
}
