import { z } from 'zod';
import type { NetworkEvent, NetworkMessage } from '../../../domain/network/network-event.ts';
import type { Unknown } from '../../../domain/network/unknown-report.ts';
import { readAckEvent } from './ack-event.ts';
import { readCallEvent } from './call-event.ts';
import { readEditEvent } from './changes/edit.ts';
import { Envelope, envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { readGroupEvent } from './group-event.ts';
import { readChatLabelEvent, readLabelEvent } from './label-event.ts';
import { readMessageEvent, reasonToIgnoreChat } from './message-event.ts';
import { MAX_EMOJI_LENGTH } from '../../../domain/network/message-change.ts';
import { bareIdOf, parseMessageId, addressOf } from './message-id.ts';
import { RawMessage } from './raw-message.ts';
import { Anything, Text, Words, Address, Numeric, pastMilliseconds } from './raw.ts';
import { senderOf } from './sender.ts';
import { momentOf } from './changes/moment.ts';
import type { ChangedBy, ChangeOf } from '../../../domain/network/message-change.ts';
import { chatKind, serverOf } from '../../../domain/network/chat-id.ts';
import { unknownOf } from '../../../domain/network/unknown-report.ts';

const TYPES: readonly string[] = ['typing', 'recording'];

const RawPresence = z.object({
  id: Address,
  presences: z.array(z.object({ lastKnownPresence: z.string().catch('') })).min(1),
});

/**
 * Reads from `presence.update` whether the contact of a direct chat types; the rest of the event is private and is not
 * read.
 */
function readPresenceEvent(envelope: Envelope, rawBody: string): NetworkEvent {
  const id = envelopeId(envelope, rawBody);
  const parsed = RawPresence.safeParse(envelope.payload);
  const chatId = parsed.success ? addressOf(parsed.data.id) : null;
  if (!parsed.success || chatId === null || !['phone', 'lid'].includes(chatKind(chatId))) {
    return { kind: 'ignored', key: eventKeys.ignored({ eventName: envelope.event, id }), reason: 'presence' };
  }
  const isTyping = parsed.data.presences.some(({ lastKnownPresence }) => TYPES.includes(lastKnownPresence));
  return { kind: 'typing', key: eventKeys.presence({ chatId, id }), chatId, isTyping };
}

export type ParsedBackendEvent =
  | { outcome: 'parsed'; sessionName: string; eventName: string; event: NetworkEvent; unknown: Unknown | null }
  | { outcome: 'unparseable'; sessionName: string | null; eventName: string | null; reason: UnparseableReason };

export type UnparseableReason = 'not_json' | 'no_envelope' | 'no_message_id' | 'no_session_status';

/**
 * Reads one webhook of the backend into the engine's own shape. This never throws: the outcome says when an event
 * cannot be read, and the caller keeps such an event.
 */
export function parseBackendEvent(rawBody: Buffer | string): ParsedBackendEvent {
  const text = typeof rawBody === 'string' ? rawBody : rawBody.toString('utf8');
  return parsedFrom(valueOf(text), text);
}

/** The fields of an event that are stored at reception; the rest is read when it is applied. */
export interface EventHead {
  sessionName: string | null;
  /** The message of our own account that the event tells of. */
  own: NetworkMessage | null;
}

/** Reads the head of an event. Only an event that tells of an own message is read as a whole. */
export function readEventHead(text: string): EventHead {
  const value = valueOf(text);
  const head = Head.safeParse(value);
  if (!head.success) return { sessionName: null, own: null };
  const { session: sessionName, event: eventName, payload } = head.data;
  if (!MESSAGES.has(eventName) || isInbound(payload?.id)) return { sessionName, own: null };
  const parsed = parsedFrom(value, text);
  const event = parsed.outcome === 'parsed' ? parsed.event : null;
  return { sessionName, own: event?.kind === 'message' && event.message.fromMe ? event.message : null };
}

/** The events that tell of messages. */
const MESSAGES: ReadonlySet<string> = new Set(['message', 'message.any']);

const Head = Envelope.pick({ session: true, event: true }).extend({
  payload: z.object({ id: z.unknown().optional() }).nullable().catch(null),
});

function isInbound(id: unknown): boolean {
  return typeof id === 'string' && id.startsWith('false_');
}

/** Undefined when the text is not JSON. */
function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function parsedFrom(value: unknown, text: string): ParsedBackendEvent {
  if (value === undefined) return { outcome: 'unparseable', sessionName: null, eventName: null, reason: 'not_json' };
  const envelope = Envelope.safeParse(value);
  if (!envelope.success) {
    return { outcome: 'unparseable', sessionName: null, eventName: null, reason: 'no_envelope' };
  }
  const { session: sessionName, event: eventName } = envelope.data;
  const event = readEvent(envelope.data, text);
  return typeof event === 'string'
    ? { outcome: 'unparseable', sessionName, eventName, reason: event }
    : { outcome: 'parsed', sessionName, eventName, event, unknown: unknownIn(eventName, event) };
}

type Reader = (envelope: Envelope, rawBody: string) => NetworkEvent | UnparseableReason;

/** The reader of each subscribed event. The engine subscribes to every row. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['session.status', (envelope) => readSessionEvent(envelope) ?? 'no_session_status'],
  ['message.any', (envelope, rawBody) => readMessageEvent(envelope, rawBody) ?? 'no_message_id'],
  ['message.ack', (envelope, rawBody) => readAckEvent(envelope, rawBody) ?? 'no_message_id'],
  ['message.ack.group', (envelope, rawBody) => readAckEvent(envelope, rawBody) ?? 'no_message_id'],
  ['message.revoked', (envelope) => readRevokeEvent(envelope) ?? 'no_message_id'],
  ['message.edited', (envelope) => readEditEvent(envelope) ?? 'no_message_id'],
  ['message.reaction', (envelope) => readReactionEvent(envelope) ?? 'no_message_id'],
  ['poll.vote', (envelope) => readVoteEvent(envelope) ?? 'no_message_id'],
  ['poll.vote.failed', (envelope) => readVoteEvent(envelope) ?? 'no_message_id'],
  ['call.received', readCallEvent],
  ['call.accepted', readCallEvent],
  ['call.rejected', readCallEvent],
  ['presence.update', readPresenceEvent],
  ['label.upsert', readLabelEvent],
  ['label.deleted', readLabelEvent],
  ['label.chat.added', readChatLabelEvent],
  ['label.chat.deleted', readChatLabelEvent],
  ['group.v2.join', readGroupEvent],
  ['group.v2.leave', readGroupEvent],
  ['group.v2.participants', readGroupEvent],
  ['group.v2.update', readGroupEvent],
]);

/**
 * The events that the engine subscribes to. `message` is left out because `message.any` includes it: with both, every
 * message would come twice.
 */
export const BACKEND_EVENTS: readonly string[] = [...READERS.keys()];

/**
 * The events of the previous release. A running session that hears only these goes on without the others until its
 * subscription is renewed (`activities/sessions/sessions.ts`), because that restarts it.
 */
export const FORMER_BACKEND_EVENTS: readonly string[] = [
  'session.status',
  'message.any',
  'message.ack',
  'message.ack.group',
  'message.revoked',
  'presence.update',
];

function readEvent(envelope: Envelope, rawBody: string): NetworkEvent | UnparseableReason {
  const { event } = envelope;
  const read = READERS.get(event === 'message' ? 'message.any' : event);
  if (read) return read(envelope, rawBody);
  return {
    kind: 'ignored',
    key: eventKeys.ignored({ eventName: event, id: envelopeId(envelope, rawBody) }),
    reason: event,
  };
}

const RawReaction = RawMessage.extend({ reaction: z.object({ text: Text, messageId: Anything }) });

/** Reads `message.reaction`. Null when the payload does not say to which message. */
function readReactionEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawReaction.safeParse(envelope.payload);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  const networkId = parsed.success ? bareIdOf(parsed.data.reaction.messageId) : null;
  if (!parsed.success || id === null || networkId === null) return null;
  const key = eventKeys.reaction(id);
  const reason = reasonToIgnoreChat(id.chatId);
  if (reason !== null) return { kind: 'ignored', key, reason };
  return {
    kind: 'reaction',
    key,
    networkId,
    by: senderOf(parsed.data, id, envelope.me),
    ...momentOf(envelope, parsed.data.timestamp),
    emoji: (parsed.data.reaction.text ?? '').slice(0, MAX_EMOJI_LENGTH).toWellFormed(),
  };
}

const RawRevoke = z.object({ revokedMessageId: Anything, after: RawMessage.nullable().catch(null) });

/** Reads `message.revoked`, by which somebody took a message back. Null when the payload does not say which. */
function readRevokeEvent(envelope: Envelope): ChangeOf<'revoked'> | null {
  const parsed = RawRevoke.safeParse(envelope.payload);
  const networkId = parsed.success ? bareIdOf(parsed.data.revokedMessageId) : null;
  if (!parsed.success || networkId === null) return null;
  const { after } = parsed.data;
  const id = after === null ? null : parseMessageId(after.id);
  return {
    kind: 'revoked',
    key: eventKeys.revoked({ networkId }),
    networkId,
    by: after === null || id === null ? NOBODY : senderOf(after, id, envelope.me),
    ...momentOf(envelope, after?.timestamp ?? null),
  };
}

/** Some reports do not say who it was. */
const NOBODY: ChangedBy = { fromMe: false, chatId: null, participant: null, aliases: [] };

const RawVote = z.object({
  vote: RawMessage.extend({ selectedOptions: z.array(Words).nullable().catch(null) }),
  poll: z.object({ id: Anything }),
});

/** `poll.vote.failed` tells of a vote that the backend could not read. */
const FAILED = 'poll.vote.failed';

/** Reads `poll.vote` and `poll.vote.failed`. Null when the payload does not say of which poll. */
function readVoteEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawVote.safeParse(envelope.payload);
  const id = parsed.success ? parseMessageId(parsed.data.vote.id) : null;
  const networkId = parsed.success ? bareIdOf(parsed.data.poll.id) : null;
  if (!parsed.success || id === null || networkId === null) return null;
  const key = eventKeys.vote(id);
  const reason = reasonToIgnoreChat(id.chatId);
  if (reason !== null) return { kind: 'ignored', key, reason };
  const { vote } = parsed.data;
  return {
    kind: 'vote',
    key,
    networkId,
    by: senderOf(vote, id, envelope.me),
    ...momentOf(envelope, vote.timestamp),
    options: envelope.event === FAILED ? null : vote.selectedOptions,
  };
}

const RawSessionStatus = z.object({
  status: z.string().regex(/^[A-Z0-9_]{1,64}$/),
  statuses: z
    .array(z.object({ status: Anything, timestamp: Numeric }))
    .nullable()
    .catch(null),
});

/**
 * Reads `session.status`. Null without a status or without a time, because a report without a time could overwrite a
 * newer one.
 */
function readSessionEvent(envelope: Envelope): NetworkEvent | null {
  const parsed = RawSessionStatus.safeParse(envelope.payload);
  if (!parsed.success) return null;
  const { status, statuses } = parsed.data;
  // `statuses` holds the last three; its newest entry of this status tells when the session reached it.
  const reached = statuses?.findLast((entry) => entry.status === status)?.timestamp ?? envelope.timestamp;
  if (reached === null) return null;
  const at = pastMilliseconds(reached);
  return {
    kind: 'session',
    key: eventKeys.session({ status, at }),
    status,
    at,
    me: envelope.me,
    platform: envelope.engine,
  };
}

/** Events of the backend that the engine does not subscribe to, and whose twins it reads or whose facts it asks for. */
const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  'message.waiting',
  'state.change',
  'group.join',
  'group.leave',
  'chat.archive',
  'event.response',
  'event.response.failed',
  'engine.event',
]);

/** Names what of a report this version does not know; null where it knows all of it. */
function unknownIn(eventName: string, event: NetworkEvent): Unknown | null {
  if (event.kind === 'message') {
    const { chatId, unknownContent: name } = event.message;
    if (chatKind(chatId) === 'other') return unknownOf('chat', serverOf(chatId));
    return name === undefined ? null : unknownOf('content', name);
  }
  if (event.kind !== 'ignored' || event.reason !== eventName || KNOWN_EVENTS.has(eventName)) return null;
  return unknownOf('event', eventName);
}
