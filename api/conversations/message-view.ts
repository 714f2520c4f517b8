import { ackName, parseAck, shownAck } from '../../domain/network/ack.ts';
import { kindWith } from '../../domain/network/network-event.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { isSentByEngine, MessageStatus } from '../../domain/sending/message.ts';
import type { DeliveryStatus, MessageView } from '../../domain/sending/message.ts';
import type { MessageKind } from '../../domain/sending/message-kind.ts';
import type { MessageContent } from '../../domain/sending/content.ts';
import { shownContent } from '../../domain/sending/shown-content.ts';
import { BACKEND_AWAY } from '../../domain/sending/plan.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import { reasonText } from '../../domain/sending/reasons.ts';
import type { UnsentMessage } from '../../domain/sending/unsent.ts';
import { workflowId } from '../../domain/names.ts';
import type { MediaLinks } from '../../db/conversations/media-links.ts';
import { mediaView } from '../../db/media/view.ts';
import type { HistoryRow, Message } from '../../db/conversations/message.ts';
import type { Beside } from './beside.ts';
import { endOf } from '../../domain/network/ends.ts';
import type { Ends } from '../../domain/network/ends.ts';
import { shownChanges, shownVotes } from './shown-changes.ts';

export function toMessageView(
  message: Message,
  { ends, quoted, changes: changesOf }: Pick<Beside, 'quoted' | 'changes'> & { ends: Ends },
  links: MediaLinks,
): MessageView {
  const changes = changesOf.get(message.id);
  const { mentions, buttons, list, forward, selected } = shownOf(message);
  const fromMe = message.direction === 'out';
  const reported = parseAck(message.ack ?? 0) ?? 0;
  const ack = fromMe ? shownAck(message.status, reported) : reported;
  const media = toMediaView(message, links);
  const isShown = !message.revokedAt;
  return {
    fromMe,
    to: fromMe ? ends.other : ends.own,
    from: fromMe ? ends.own : endOf(message.participant, ends.phones) || ends.other,
    body: isShown ? message.body : '',
    timestamp: Math.floor(message.occurredAt.getTime() / 1_000),
    ack,
    ackName: ackName(ack),
    hasMedia: message.kind !== 'text' && media !== null,
    messageId: message.id,
    kind: kindOf(message),
    status: message.status,
    origin: message.via ?? message.origin,
    ...matchingOf(message),
    media,
    mediaUrl: media?.url ?? null,
    replyTo: quoted.get(message.id) ?? null,
    buttons: buttons ?? null,
    list: list ?? null,
    ...(forward ? { forwardOf: forward.messageId } : {}),
    selected: selected ?? null,
    renderedAs: message.renderedAs ?? null,
    ...(isShown ? shownContent(message.content, changes && shownVotes(changes, ends)) : {}),
    mentions: mentions ?? [],
    ...shownChanges(message, changes, ends),
    ...errorOf(message),
  };
}

/** Derives the kind from the content, because rows store some kinds under another one. */
function kindOf({ kind, content }: Message): MessageKind {
  return content?.forward ? 'forward' : kindWith(kind, content);
}

/** Hides revoked content, which stays in its row. */
function shownOf({ content, revokedAt }: Message): MessageContent {
  return (revokedAt ? null : content) ?? {};
}

function toMediaView({ id, media, content, revokedAt }: Message, links: MediaLinks): MessageView['media'] {
  if (revokedAt) return null;
  return mediaView({ messageId: id, media, named: content?.attachment }, links);
}

/** `to` is the recipient as the caller is shown it. */
export function toUnsentMessage(message: Message, to: string, links: MediaLinks, plan: Plan | null): UnsentMessage {
  return {
    messageId: message.id,
    requestId: message.requestId ?? null,
    groupId: message.requestId ?? null,
    conversationId: message.conversationId,
    contactId: message.contactId ?? null,
    to,
    kind: kindOf(message),
    body: message.body,
    media: toMediaView(message, links),
    status: MessageStatus.parse(message.status),
    bulk: message.bulk,
    scheduledFor: isoOrNull(message.scheduledAt),
    expiresAt: isoOrNull(message.expiresAt),
    createdAt: message.createdAt.toISOString(),
    heldBy: plan === null || plan.rule === 'now' ? null : plan.rule,
    heldUntil: plan === null || plan.rule === 'now' ? null : plan.sendAt,
    ...errorOf(message),
  };
}

function matchingOf({ matchingNetworkId }: Message): Pick<DeliveryStatus, 'matching'> {
  return matchingNetworkId ? { matching: true } : {};
}

function errorOf({ errorCode, errorDetail }: Message): Pick<DeliveryStatus, 'error'> {
  return errorCode ? { error: { code: errorCode, message: reasonText(errorCode, errorDetail ?? null) } } : {};
}

/** `plan` is given only while the message waits; otherwise it is null. */
export function toDeliveryStatus(
  message: Message,
  more: { to: string; replyTo: string | undefined; history: readonly HistoryRow[]; plan: Plan | null; now: Date },
  links: MediaLinks,
): DeliveryStatus {
  const { to, replyTo, history, plan, now } = more;
  const reported = message.ack === null || message.ack === undefined ? null : (parseAck(message.ack) ?? 0);
  const level = message.direction === 'out' ? shownAck(message.status, reported) : reported;
  const isPassedOn = message.via === 'passthrough' && message.chatSeq === null;
  const sends = message.direction === 'out' && isSentByEngine(message.origin) && !isPassedOn;
  return {
    messageId: message.id,
    conversationId: message.conversationId,
    sessionId: message.sessionId,
    to: message.direction === 'out' ? to : '',
    body: message.revokedAt ? '' : message.body,
    replyTo: replyTo ?? null,
    requestId: message.requestId ?? null,
    groupId: message.requestId ?? null,
    kind: kindOf(message),
    status: message.status,
    ...matchingOf(message),
    bulk: message.bulk,
    resendOf: message.resendOf ?? null,
    scheduledFor: isoOrNull(message.scheduledAt),
    expiresAt: isoOrNull(message.expiresAt),
    ...(plan ? { plan } : {}),
    ...heldOf(message, plan, now),
    renderedAs: message.renderedAs ?? null,
    media: toMediaView(message, links),
    ack: reported === null && level === 0 ? null : level,
    ackName: level === null || (reported === null && level === 0) ? null : ackName(level),
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

/** An outage is in no row: it is what a message waits for while it lasts, whatever has held the message before. */
function heldOf(
  { heldBy, heldUntil }: Message,
  plan: Plan | null,
  now: Date,
): Pick<DeliveryStatus, 'heldBy' | 'heldUntil'> {
  if (plan?.rule === BACKEND_AWAY) return { heldBy: plan.rule, heldUntil: null };
  // The rows note what holds a whole queue of its first message alone.
  if (plan?.rule === 'suspended' || plan?.rule === 'session_not_working') return { heldBy: plan.rule, heldUntil: null };
  // Between the end of a hold and the release, nothing is known of when it goes out.
  const isOver = plan !== null && heldUntil !== null && heldUntil !== undefined && heldUntil <= now;
  return { heldBy: heldBy ?? null, heldUntil: isOver ? null : isoOrNull(heldUntil) };
}

/**
 * The id of the execution that delivers the message: its own, or that of the slice that has sent it. Null for a message
 * that was never let go: it waits in the queue, or ended there.
 */
function deliveryId({ id, slice, releasedAt, promisedAt, attempts, sentAt }: Message): string | null {
  if (!releasedAt && !promisedAt && !sentAt && !slice && attempts === 0) return null;
  return slice ? workflowId('deliverSlice', slice) : workflowId('deliverMessage', id);
}
