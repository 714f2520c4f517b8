import { isConversation, serverOf } from '../../../domain/network/chat-id.ts';
import type { NetworkEvent } from '../../../domain/network/network-event.ts';
import type { Envelope } from './envelope.ts';
import { envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { parseMessageId } from './message-id.ts';
import { isChangeOnly } from './message-kind.ts';
import { toNetworkMessage } from './message.ts';
import { RawMessage } from './raw-message.ts';

/** Reads `message` and `message.any`. Null when the payload does not say which message it is. */
export function readMessageEvent(envelope: Envelope, rawBody: string): NetworkEvent | null {
  const message = toNetworkMessage(envelope.payload, { me: envelope.me, receivedAt: envelope.timestamp, isLive: true });
  if (message === null) return ofChange(envelope, rawBody);
  const key = eventKeys.message(message);
  const reason = reasonToIgnoreChat(message.chatId);
  return reason === null ? { kind: 'message', key, message } : { kind: 'ignored', key, reason };
}

/** Returns why a chat's messages are ignored, or null: stories, channels and broadcast lists are no conversations. */
export function reasonToIgnoreChat(chatId: string): string | null {
  if (isConversation(chatId)) return null;
  return chatId === 'status@broadcast' ? 'status_broadcast' : `chat_of_${serverOf(chatId)}`;
}

/**
 * Returns null, because a change of a message has an event of its own. Its duplicate among the messages changes
 * nothing.
 */
function ofChange(envelope: Envelope, rawBody: string): NetworkEvent | null {
  const raw = RawMessage.safeParse(envelope.payload);
  if (!raw.success || parseMessageId(raw.data.id) === null || !isChangeOnly(raw.data)) return null;
  const key = eventKeys.ignored({ eventName: envelope.event, id: envelopeId(envelope, rawBody) });
  return { kind: 'ignored', key, reason: 'change_of_a_message' };
}
