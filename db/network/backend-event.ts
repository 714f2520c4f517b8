import { sql } from 'kysely';
import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import { insertHeard } from '../sessions/hearing.ts';
import { parkBackendEvents } from './parked-event.ts';

const BackendEventRow = z.object({
  isBusy: z.literal(false),
  sessionName: z.string(),
  id: z.string(),
  /** The day of the event's partition, as PostgreSQL writes it. */
  receivedOn: z.string(),
  receivedAt: Timestamp,
  body: z.string(),
  attempts: z.int(),
  /** Null when the session belongs to another user of the same backend, or was deleted; so are the next two. */
  sessionId: z.string().nullable(),
  agencyId: z.string().nullable(),
  tenantId: z.string().nullable(),
});
export type BackendEventRow = z.infer<typeof BackendEventRow>;

/**
 * An event that is not applied within this time is parked: it is kept and listed, and an operator can have it tried
 * again.
 */
const PARK_AFTER = '1 day';
const MAX_PAUSE_SECONDS = 600;

const WaitingSession = z.object({ name: z.string(), isDue: z.boolean() });

/** Lists sessions that have events to apply, in the order of their names, from the name `from` on. */
export async function listSessionsWithEvents(
  queries: Queries,
  page: { from: string; limit: number },
): Promise<z.infer<typeof WaitingSession>[]> {
  return rows(queries, WaitingSession)`
    select name, is_due as "isDue" from sessions_with_events(${page.from}, ${page.limit}) order by name`;
}

const BusySession = z.object({ isBusy: z.literal(true), sessionName: z.string() });
const Taken = z.discriminatedUnion('isBusy', [BusySession, BackendEventRow]);

export interface TakenEvents {
  /** In the order in which they came, for each session. */
  events: BackendEventRow[];
  /** The sessions whose events another transaction is applying. */
  busy: string[];
}

/**
 * Takes the next events of sessions, and keeps others from them until the transaction ends (`backend-event.sql`).
 * `limit` is for each session; once the bodies together have `maxBytes`, the sessions that are left are not looked at.
 * The transaction fails when it waits longer than `lockWaitMs` for any lock.
 */
export async function takeBackendEvents(
  tx: Tx,
  sessionNames: readonly string[],
  { limit, maxBytes, lockWaitMs = 0 }: { limit: number; maxBytes: number; lockWaitMs?: number },
): Promise<TakenEvents> {
  const taken = await rows(tx, Taken)`
    select session_name as "sessionName", is_busy as "isBusy", id::text as id, received_on::text as "receivedOn",
      received_at as "receivedAt", body, attempts, session_id as "sessionId", agency_id as "agencyId",
      tenant_id as "tenantId"
    from take_backend_events(${sessionNames}::text[], ${limit}, ${maxBytes}, ${lockWaitMs})`;
  return {
    events: taken.filter((row) => !row.isBusy),
    busy: taken.filter((row) => row.isBusy).map(({ sessionName }) => sessionName),
  };
}

/** Returns the session of a taken event; null when it is none of ours. */
export function sessionOf({ sessionId: id, agencyId, tenantId, sessionName: name }: BackendEventRow) {
  return id === null || agencyId === null || tenantId === null ? null : { id, agencyId, tenantId, name };
}

/** `heard` are the sessions that have heard a contact by these events. */
export async function markApplied(
  tx: Tx,
  events: readonly BackendEventRow[],
  heard: readonly string[] = [],
): Promise<void> {
  const ids = events.map(({ id }) => id);
  const days = events.map(({ receivedOn }) => receivedOn);
  // The planner expects few rows of an array and a hundred of JSON. For a hundred it would read the day's events one by
  // one.
  const mark = sql`
    update backend_event e set applied_at = clock_timestamp(), error = null
    from unnest(${ids}::bigint[], ${days}::date[]) as r(id, received_on)
    where e.received_on = r.received_on and e.id = r.id`;
  if (heard.length === 0) await run(tx)`${mark}`;
  else await run(tx)`with marked as (${mark}) ${insertHeard(tx, heard)}`;
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
    where ${which} and applied_at is null
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
