import { z } from 'zod';
import type { NetworkEvent, NetworkMessage } from '../../../domain/network/network-event.ts';
import type { Unknown } from '../../../domain/network/unknown-report.ts';
import { readAckEvent } from './ack-event.ts';
import { readCallEvent } from './call-event.ts';
import { readEditEvent } from './changes/edit.ts';
import { readReactionEvent } from './changes/reaction.ts';
import { readRevokeEvent } from './changes/revoke.ts';
import { readVoteEvent } from './changes/vote.ts';
import { unknownIn } from './unknown.ts';
import { Envelope, envelopeId } from './envelope.ts';
import { eventKeys } from './event-keys.ts';
import { readGroupEvent } from './group-event.ts';
import { readChatLabelEvent, readLabelEvent } from './label-event.ts';
import { readMessageEvent } from './message-event.ts';
import { readPresenceEvent } from './presence-event.ts';
import { readSessionEvent } from './session-event.ts';

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

/** What of an event is noted when it is received; the rest of it is read when it is applied. */
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

/** How each event is read that the engine subscribes to. A new row is both subscribed to and read. */
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
 * subscription is renewed (`activities/sessions/renewal.ts`), because that restarts it.
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
