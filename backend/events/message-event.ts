import { chatKind } from '../../domain/network/chat-id.ts';
import type { NetworkEvent } from '../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { toNetworkMessage } from './message.ts';

/** Reads `message` and `message.any`. Null when the payload does not say which message it is. */
export function readMessageEvent(envelope: Envelope): NetworkEvent | null {
  const message = toNetworkMessage(envelope.payload, { me: envelope.me, receivedAt: envelope.timestamp });
  if (message === null) return null;
  const key = eventKeys.message(message);
  const reason = reasonToIgnoreChat(message.chatId);
  return reason === null ? { kind: 'message', key, message } : { kind: 'ignored', key, reason };
}

/** Returns why a chat's messages are ignored, or null: stories, channels and broadcast lists are no conversations. */
export function reasonToIgnoreChat(chatId: string): string | null {
  if (chatKind(chatId) !== 'other') return null;
  return chatId === 'status@broadcast' ? 'status_broadcast' : `chat_of_${chatId.slice(chatId.lastIndexOf('@') + 1)}`;
}
