import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import { PHONE_IS_LIVE_MS } from '../../domain/agent/turn.ts';
import { Timestamp } from '../columns.ts';
import type { Queries, Tx } from '../tx.ts';
import { one, row, rows, run } from '../rows.ts';
import { parkBackendEvents } from './parked-event.ts';

const BackendEventRow = z.object({
  id: z.string(),
  /** The day of the event's partition, as PostgreSQL writes it. */
  receivedOn: z.string(),
  receivedAt: Timestamp,
  body: z.string(),
  attempts: z.int(),
});
export type BackendEventRow = z.infer<typeof BackendEventRow>;

/**
 * An event that is not applied within this time is parked: it is kept and listed, and an operator can have it tried
 * again.
 */
const PARK_AFTER = '1 day';
const MAX_PAUSE_SECONDS = 600;

const MAX_KEY_LENGTH = 200;

/**
 * Stores the raw body of an event, as the first step of the ingest. A delivery that is repeated on the same day (same
 * request id, else same body) is stored once; a repetition after midnight is recognised when it is applied. The ids of
 * an own message are noted, because the agent waits until it is known who wrote the message.
 */
export async function receiveBackendEvent(
  tx: Tx,
  received: { sessionName: string; requestId: string | null; body: string; own?: NetworkMessage | null },
): Promise<void> {
  const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
  const { requestId, own = null } = received;
  // A long key is hashed, because an index entry has a maximum size.
  const key =
    requestId === null ? hash(received.body) : requestId.length > MAX_KEY_LENGTH ? hash(requestId) : requestId;
  const sessionName = received.sessionName.replaceAll('\u0000', '').toWellFormed().slice(0, MAX_KEY_LENGTH);
  // PostgreSQL's text cannot hold the character NUL; valid JSON contains it only escaped.
  const body = received.body.replaceAll('\u0000', '\ufffd');
  await run(tx)`
    insert into backend_event (session_name, request_key, body, own_network_id, own_chat_ids)
    select ${sessionName}, ${key}, ${body}, case when live then ${own?.networkId ?? null}::text end,
      case when live then ${own === null ? null : [own.chatId, ...own.aliases]}::text[] end
    from (select to_timestamp(${own?.timestamp ?? null}::float8)
      > clock_timestamp() - ${PHONE_IS_LIVE_MS} * interval '1 millisecond' as live) own
    on conflict (received_on, session_name, request_key) do nothing`;
}

const SessionName = z.object({ name: z.string() });

/** Lists the sessions that have events to apply, the longest waiting first. */
export async function listSessionsWithEvents(queries: Queries, limit: number): Promise<string[]> {
  const waiting = await rows(queries, SessionName)`
    select session_name as name from backend_event
    where applied_at is null and parked_at is null and (retry_at is null or retry_at <= clock_timestamp())
    group by session_name order by min(id) limit ${limit}`;
  return waiting.map(({ name }) => name);
}

const Lock = z.object({ locked: z.boolean() });

/**
 * Takes the next events of a session in the order in which they came; none when another process is applying events of
 * that session, which holds the advisory lock until its transaction ends.
 */
export async function takeBackendEvents(tx: Tx, sessionName: string, limit: number): Promise<BackendEventRow[]> {
  const { locked } = await one(tx, Lock)`select pg_try_advisory_xact_lock(${lockOf(sessionName)}) as locked`;
  if (!locked) return [];
  return rows(tx, BackendEventRow)`
    select id::text as id, received_on::text as "receivedOn", received_at as "receivedAt", body, attempts
    from backend_event
    where session_name = ${sessionName} and applied_at is null and parked_at is null
      and (retry_at is null or retry_at <= clock_timestamp())
    order by backend_event.id limit ${limit}`;
}

/**
 * Waits while another transaction applies events of the session, and keeps others from it until this transaction ends.
 */
export async function lockSessionEvents(tx: Tx, sessionName: string): Promise<void> {
  await run(tx)`select pg_advisory_xact_lock(${lockOf(sessionName)})`;
}

function lockOf(sessionName: string): RawBuilder<bigint> {
  return sql`hashtextextended(${`apply:${sessionName}`}, 0)`;
}

export async function markApplied(tx: Tx, events: readonly BackendEventRow[]): Promise<void> {
  const applied = JSON.stringify(events.map(({ id, receivedOn }) => ({ id, receivedOn })));
  await run(tx)`
    update backend_event e set applied_at = clock_timestamp(), error = null
    from jsonb_to_recordset(${applied}::jsonb) as r(id bigint, "receivedOn" date)
    where e.received_on = r."receivedOn" and e.id = r.id`;
}

const Failed = z.object({ isOver: z.boolean() });

/**
 * Records a failure to apply an event. The event is tried again after a growing pause, because most trouble is our own
 * and passes. An event that is `hopeless`, or has failed for a day, is parked with its error. True when it was parked.
 */
export async function markApplyFailed(
  tx: Tx,
  event: BackendEventRow,
  failure: { error: string; hopeless: boolean },
): Promise<boolean> {
  const which = sql`received_on = ${event.receivedOn}::date and id = ${event.id}::bigint`;
  const failed = await row(tx, Failed)`
    update backend_event set attempts = attempts + 1, error = ${failure.error.slice(0, 500)},
      retry_at = clock_timestamp() + least(power(2, least(attempts, 30)), ${MAX_PAUSE_SECONDS}) * interval '1 second'
    where ${which}
    returning ${failure.hopeless} or received_at < clock_timestamp() - ${PARK_AFTER}::interval as "isOver"`;
  if (failed?.isOver !== true) return false;
  await parkBackendEvents(tx, which);
  return true;
}

const EventBacklog = z.object({
  /** Events that an operator must look at. */
  parked: z.int(),
  oldestParkedAt: Timestamp.nullable(),
  /** The time at which the oldest unapplied event was received. */
  oldestUnappliedAt: Timestamp.nullable(),
});
export type EventBacklog = z.infer<typeof EventBacklog>;

/** Counts the events that were received and have not been applied. */
export async function countParkedEvents(queries: Queries): Promise<EventBacklog> {
  return one(queries, EventBacklog)`
    select count(*)::int as parked, min(parked_at) as "oldestParkedAt",
      (select min(received_at) from backend_event where applied_at is null) as "oldestUnappliedAt"
    from parked_event where status = 'parked'`;
}
