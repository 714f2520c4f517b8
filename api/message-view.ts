import { ackName, parseAck } from '../domain/ack.ts';
import { phoneOfChatId } from '../domain/chat-id.ts';
import { isoOrNull } from './iso-time.ts';
import type { DeliveryStatus, MessageView } from '../domain/message.ts';
import { workflowId } from '../domain/names.ts';
import type { HistoryRow, Message } from '../db/message.ts';

/** The two ends of a conversation, as the spec writes them: digits of a phone, else the chat id. */
export interface Ends {
  own: string;
  other: string;
}

export function endOf(chatId: string | null | undefined): string {
  return chatId ? (phoneOfChatId(chatId) ?? chatId) : '';
}

export function toMessageView(message: Message, ends: Ends): MessageView {
  const fromMe = message.direction === 'out';
  const ack = parseAck(message.ack ?? 0) ?? 0;
  const media = message.media ?? null;
  return {
    fromMe,
    to: fromMe ? ends.other : ends.own,
    from: fromMe ? ends.own : endOf(message.participant) || ends.other,
    body: message.body,
    timestamp: Math.floor(message.occurredAt.getTime() / 1_000),
    ack,
    ackName: ackName(ack),
    hasMedia: message.kind !== 'text' && media !== null,
    messageId: message.id,
    kind: message.kind,
    status: message.status,
    origin: message.origin,
    // The backend's own addresses need its key, so they are never handed on.
    media: media && { url: null, mimeType: media.mimeType, fileName: media.fileName },
    mediaUrl: null,
  };
}

export function toDeliveryStatus(message: Message, history: readonly HistoryRow[]): DeliveryStatus {
  const ack = parseAck(message.ack ?? 0) ?? 0;
  const sends = message.direction === 'out' && ['api', 'person', 'ai'].includes(message.origin);
  return {
    messageId: message.id,
    conversationId: message.conversationId,
    status: message.status,
    ack: message.ack ?? null,
    ackName: message.ack === null || message.ack === undefined ? null : ackName(ack),
    timestamps: {
      queued: message.createdAt.toISOString(),
      sent: isoOrNull(message.sentAt),
      delivered: isoOrNull(message.deliveredAt),
      read: isoOrNull(message.readAt),
      played: isoOrNull(message.playedAt),
      ended: isoOrNull(message.endedAt),
    },
    attempts: message.attempts,
    ...(message.errorCode ? { error: { code: message.errorCode, message: message.errorDetail ?? null } } : {}),
    history: history.map(({ status, at, reason, detail }) => ({ status, at: at.toISOString(), reason, detail })),
    workflowId: sends ? workflowId('deliverMessage', message.id) : null,
  };
}
