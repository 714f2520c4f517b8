import type { Tx, NewEvent } from '../engine/tx.ts';
import { DEFAULT_EVENTS } from '../../domain/webhooks/event.ts';
import type { EventType } from '../../domain/webhooks/event.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { newId } from '../engine/new-id.ts';
import { send } from '../engine/rows.ts';
import { bodyParts } from './events/event-body.ts';
import type { BodyParts } from './events/event-body.ts';
import { Subscriptions } from './events/subscriptions.ts';
import type { Subscriber, Subscribers } from './events/subscriptions.ts';

/**
 * So long an event waits for its message's file, and what comes behind it in its conversation. A check once in one to
 * two seconds (`loops/apply-events.ts`) finds overdue events, so that nothing waits longer than twenty.
 */
const MAX_MEDIA_WAIT_MS = 17_500;

export interface WrittenEvent extends Omit<NewEvent, 'event' | 'payload'>, BodyParts {
  id: string;
  event: EventType;
  /** Whether it counts in its session's sequence. */
  counts: boolean;
}

/**
 * Writes events, and one delivery for each endpoint that wants them. This comes last in a transaction, because it locks
 * the rows of the sessions' sequences until the commit (`events/write-events.sql`).
 */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  const { written } = await sendEvents(tx, events);
  await written;
}

/** Writes events that were held; nothing holds them again. */
export async function insertReleased(tx: Tx, events: readonly WrittenEvent[]): Promise<void> {
  const { written } = await sendWritten(tx, events, true);
  await written;
}

/**
 * Sends the statement that writes the events, and does not wait for its answer: the commit may follow at once, so that
 * the sequences are locked for as short as possible. `written` is rejected when the statement has failed; the commit
 * has then had no effect.
 */
export async function sendEvents(tx: Tx, events: readonly NewEvent[]): Promise<{ written: Promise<void> }> {
  const made = events.map((event) => ({ ...event, ...toRow(tx, event), counts: countsInSequence(event) }));
  return sendWritten(tx, made, false);
}

const choicesJson = jsonParameter(
  { event: true, candidates: { endpointId: true, lane: true, isDisabled: true } },
  'write_events.p_choices',
);

async function sendWritten(
  tx: Tx,
  events: readonly WrittenEvent[],
  isReleased: boolean,
): Promise<{ written: Promise<void> }> {
  if (events.length === 0) return { written: Promise.resolve() };
  const agencies = await subscribersOf(tx, events);
  const sessions = countedOf(events);
  const wanted = events.flatMap((event, index) => {
    const groups = agencies.get(event.agencyId)?.wanting(event) ?? [];
    return groups.map((group) => ({ at: index + 1, group, laneAt: (each: Subscriber) => laneOf(each, event) }));
  });
  const single = wanted.flatMap(({ at, group, laneAt }) =>
    group.length === 1 && group[0] ? [{ at, endpointId: group[0].id, lane: laneAt(group[0]) }] : [],
  );
  const choices = wanted.flatMap(({ at, group, laneAt }) => (group.length > 1 ? [choiceOf(at, group, laneAt)] : []));
  for (const { shard } of new Set(wanted.flatMap(({ group }) => group))) tx.wake('delivery', String(shard));
  for (const agencyId of agencies.keys()) tx.wake('event', agencyId);
  const offsets = offsetsOf(events);
  const isWaiting = events.some((event) => event.waitsFor !== undefined);
  const waitsFor = isWaiting ? events.map((event) => event.waitsFor ?? null) : null;
  const { written } = await send(tx)`select write_events(${[...agencies.keys()]}::text[],
    ${[...agencies.values()].map(({ version }) => version)}::bigint[],
    ${sessions.map(({ id }) => id)}::text[], ${sessions.map(({ counted }) => counted)}::integer[], ${tx.now},
    ${events.map(({ id }) => id)}::text[], ${events.map(({ agencyId }) => agencyId)}::text[],
    ${events.map(({ tenantId }) => tenantId)}::text[],
    ${events.map(({ sessionId }) => sessions.findIndex(({ id }) => id === sessionId) + 1 || null)}::integer[],
    ${events.map(({ conversationId }) => conversationId)}::text[], ${events.map(({ event }) => event)}::text[],
    ${offsets}::integer[], ${events.map(({ head }) => head)}::text[], ${events.map(({ tail }) => tail)}::text[],
    ${events.map(({ whole }) => whole)}::text[], ${events.map(({ middle }) => middle)}::text[],
    ${events.map(({ trialOf = null }) => trialOf)}::text[], ${events.map(({ notTo = null }) => notTo)}::text[],
    ${single.map(({ at }) => at)}::integer[], ${single.map(({ endpointId }) => endpointId)}::text[],
    ${single.map(({ lane }) => lane)}::text[],
    ${choices.length === 0 ? null : choicesJson(choices)}::jsonb,
    ${waitsFor}::text[], ${new Date(tx.now.getTime() + MAX_MEDIA_WAIT_MS)}, ${isReleased})`;
  return {
    written: written.catch((error: unknown) => {
      // The endpoints may have changed since they were read; the next attempt reads them again.
      for (const agencyId of agencies.keys()) tx.kept(Subscriptions).forget(agencyId);
      throw error;
    }),
  };
}

async function subscribersOf(tx: Tx, events: readonly WrittenEvent[]): Promise<Map<string, Subscribers>> {
  const found = new Map<string, Subscribers>();
  const known = tx.kept(Subscriptions);
  for (const agencyId of new Set(events.map((event) => event.agencyId))) {
    found.set(agencyId, known.of(agencyId) ?? (await known.read(tx, agencyId)));
  }
  return found;
}

/**
 * The sessions of the events in the order in which all transactions lock them, with how many numbers of its sequence
 * each needs.
 */
function countedOf(events: readonly WrittenEvent[]): { id: string; counted: number }[] {
  const bySession = Map.groupBy(events, ({ sessionId }) => sessionId);
  return [...bySession]
    .flatMap(([id, of]) => (id === null ? [] : [{ id, counted: of.filter(({ counts }) => counts).length }]))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns the distance of each event's sequence from the last one of its session before this transaction. */
function offsetsOf(events: readonly WrittenEvent[]): number[] {
  const taken = new Map<string | null, number>();
  return events.map(({ sessionId, counts }) => {
    const offset = (taken.get(sessionId) ?? 0) + Number(counts);
    taken.set(sessionId, offset);
    return offset;
  });
}

/**
 * True for events that count in the session's sequence: those that every endpoint gets by default. An endpoint that did
 * not ask for the others would see gaps. The others bear the number of the last counted event.
 */
function countsInSequence({ event, sessionId }: NewEvent): boolean {
  return sessionId !== null && DEFAULT_EVENTS.some((counted) => counted === event);
}

function toRow(tx: Tx, event: NewEvent): BodyParts & { id: string } {
  const { id = newId('evt'), agencyId, tenantId, sessionId, conversationId, trialOf } = event;
  const occurredAt = tx.now.toISOString();
  const metadata = { agencyId, tenantId, eventId: id, sessionId, conversationId, occurredAt };
  return { id, ...bodyParts(tx, event, trialOf === undefined ? metadata : { ...metadata, test: true }) };
}

/** The lane of an event at an endpoint. Deliveries of one lane go one after the other. */
function laneOf({ ordering }: Subscriber, { id, trialOf, conversationId, sessionId }: WrittenEvent): string {
  if (trialOf !== undefined || ordering === 'parallel') return id;
  return ordering === 'fifo' ? '' : (conversationId ?? sessionId ?? '');
}

/** Endpoints with the same URL, of which the database chooses one by what waits. */
function choiceOf(event: number, group: readonly Subscriber[], laneAt: (each: Subscriber) => string) {
  const candidates = group.map((each) => ({
    endpointId: each.id,
    lane: laneAt(each),
    isDisabled: each.status === 'disabled',
  }));
  return { event, candidates };
}
