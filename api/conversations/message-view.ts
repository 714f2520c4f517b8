import { ackName, parseAck } from '../../domain/network/ack.ts';
import { shownAddress } from '../../domain/network/chat-id.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { isSentByEngine, MessageStatus } from '../../domain/sending/message.ts';
import type { DeliveryStatus, MessageView } from '../../domain/sending/message.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import { reasonText } from '../../domain/sending/reasons.ts';
import type { UnsentMessage } from '../../domain/sending/unsent.ts';
import { workflowId } from '../../domain/names.ts';
import type { MediaLinks } from '../../db/conversations/media-links.ts';
import { mediaView } from '../../db/media/view.ts';
import type { HistoryRow, Message } from '../../db/conversations/message.ts';

/** The two ends of a conversation, as the spec writes them: digits of a phone, else the chat id. */
export interface Ends {
  own: string;
  other: string;
  /** The phones of group members whose messages come under a hidden id. */
  phones: ReadonlyMap<string, string>;
}

export function endOf(chatId: string | null | undefined, phones?: ReadonlyMap<string, string>): string {
  return chatId ? shownAddress(chatId, phones?.get(chatId)) : '';
}

export function toMessageView(
  message: Message,
  ends: Ends,
  replyTo: string | undefined,
  links: MediaLinks,
): MessageView {
  const { mentions, buttons, list, selected } = message.content ?? {};
  const fromMe = message.direction === 'out';
  const ack = parseAck(message.ack ?? 0) ?? 0;
  const media = toMediaView(message, links);
  return {
    fromMe,
    to: fromMe ? ends.other : ends.own,
    from: fromMe ? ends.own : endOf(message.participant, ends.phones) || ends.other,
    body: message.body,
    timestamp: Math.floor(message.occurredAt.getTime() / 1_000),
    ack,
    ackName: ackName(ack),
    hasMedia: message.kind !== 'text' && media !== null,
    messageId: message.id,
    kind: message.kind,
    status: message.status,
    origin: message.via ?? message.origin,
    media,
    mediaUrl: media?.url ?? null,
    replyTo: replyTo ?? null,
    mentions: mentions ?? [],
    buttons: buttons ?? null,
    list: list ?? null,
    selected: selected ?? null,
    renderedAs: message.renderedAs ?? null,
    ...errorOf(message),
  };
}

function toMediaView({ id, media, content }: Message, links: MediaLinks): MessageView['media'] {
  return mediaView({ messageId: id, media, named: content?.attachment }, links);
}

/** `to` is the recipient as the caller is shown it. */
export function toUnsentMessage(message: Message, to: string, links: MediaLinks): UnsentMessage {
  return {
    messageId: message.id,
    requestId: message.requestId ?? null,
    groupId: message.requestId ?? null,
    conversationId: message.conversationId,
    contactId: message.contactId ?? null,
    to,
    kind: message.kind,
    body: message.body,
    media: toMediaView(message, links),
    status: MessageStatus.parse(message.status),
    bulk: message.bulk,
    scheduledFor: isoOrNull(message.scheduledAt),
    expiresAt: isoOrNull(message.expiresAt),
    createdAt: message.createdAt.toISOString(),
    ...errorOf(message),
  };
}

function errorOf({ errorCode, errorDetail }: Message): Pick<DeliveryStatus, 'error'> {
  return errorCode ? { error: { code: errorCode, message: reasonText(errorCode, errorDetail ?? null) } } : {};
}

/** `plan` is given only while the message waits; otherwise it is null. */
export function toDeliveryStatus(
  message: Message,
  more: { to: string; replyTo: string | undefined; history: readonly HistoryRow[]; plan: Plan | null },
  links: MediaLinks,
): DeliveryStatus {
  const { to, replyTo, history, plan } = more;
  const ack = parseAck(message.ack ?? 0) ?? 0;
  const isPassedOn = message.via === 'passthrough' && message.chatSeq === null;
  const sends = message.direction === 'out' && isSentByEngine(message.origin) && !isPassedOn;
  return {
    messageId: message.id,
    conversationId: message.conversationId,
    sessionId: message.sessionId,
    to: message.direction === 'out' ? to : '',
    body: message.body,
    replyTo: replyTo ?? null,
    requestId: message.requestId ?? null,
    groupId: message.requestId ?? null,
    kind: message.kind,
    status: message.status,
    bulk: message.bulk,
    resendOf: message.resendOf ?? null,
    scheduledFor: isoOrNull(message.scheduledAt),
    expiresAt: isoOrNull(message.expiresAt),
    ...(plan ? { plan } : {}),
    heldBy: message.heldBy ?? null,
    heldUntil: isoOrNull(message.heldUntil),
    renderedAs: message.renderedAs ?? null,
    media: toMediaView(message, links),
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
    ...errorOf(message),
    history: history.map(({ at, ...entry }) => ({
      ...entry,
      at: at.toISOString(),
      text: entry.reason === null ? null : reasonText(entry.reason, entry.detail),
    })),
    workflowId: sends ? deliveryId(message) : null,
  };
}

/** The id of the execution that delivers the message: its own, or that of the slice that has sent it. */
function deliveryId({ id, slice }: Message): string {
  return slice ? workflowId('deliverSlice', slice) : workflowId('deliverMessage', id);
}
