import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { ParkedEventStatus } from '../../domain/network/parked-event.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { openGaps } from '../sessions/gaps.ts';
import { askToCompare } from '../sessions/receiving.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { row, rows, run } from '../engine/rows.ts';

/** An event of the backend that could not be applied. It stays until an operator has it applied again. */
const ParkedEvent = z.object({
  id: z.string(),
  sessionName: z.string(),
  status: ParkedEventStatus,
  attempts: z.int(),
  error: z.string().nullable(),
  sizeBytes: z.int(),
  receivedAt: Timestamp,
  parkedAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type ParkedEvent = z.infer<typeof ParkedEvent>;

const COLUMNS = sql`p.id::text as id, p.session_name as "sessionName", p.status, p.attempts, p.error,
  octet_length(p.body) as "sizeBytes", p.received_at as "receivedAt", p.parked_at as "parkedAt",
  p.ended_at as "endedAt"`;

/**
 * Moves unapplied events out of the table whose partitions are dropped. A repeated event is parked once. An applier
 * that has just read such an event may still apply it, because an event that is applied again changes nothing.
 */
export async function parkBackendEvents(tx: Tx, which: RawBuilder<unknown>): Promise<number> {
  const parked = await rows(tx, Parked)`
    with gone as (
      delete from backend_event where applied_at is null and ${which}
      returning id, session_name, backend, request_key, body, received_at, attempts, error
    ), parked as (
      insert into parked_event (id, session_name, backend, request_key, body, received_at, attempts, error)
      select id, session_name, backend, request_key, body, received_at, attempts, coalesce(error, 'NeverApplied')
      from gone
      on conflict (session_name, request_key) do nothing
    )
    select session_name as "sessionName", received_at as "receivedAt" from gone`;
  await openGapsOf(tx, parked);
  return parked.length;
}

const Parked = z.object({ sessionName: z.string(), receivedAt: Timestamp });

/** The chats may hold the content of these events. */
async function openGapsOf(tx: Tx, parked: readonly z.output<typeof Parked>[]): Promise<void> {
  if (parked.length === 0) return;
  const times = parked.map(({ receivedAt }) => receivedAt.getTime());
  const sessions = await rows(tx, IdRow)`
    select id from session where name = any(${[...new Set(parked.map(({ sessionName }) => sessionName))]}::text[])
      and wish <> 'deleted'`;
  const gap = { cause: 'parked_events', from: new Date(Math.min(...times)), to: new Date(Math.max(...times)) } as const;
  const opened = await openGaps(
    tx,
    sessions.map(({ id }) => id),
    gap,
  );
  if (opened.length > 0) await askToCompare(tx, sql`r.id = any(${opened}::text[])`);
}

/**
 * Parks events that would soon be dropped with their partition, and events that a previous release marked as parked
 * without moving them.
 */
export async function parkOverdueEvents(tx: Tx, limit: number): Promise<number> {
  return parkBackendEvents(
    tx,
    sql`(received_on, id) in (select e.received_on, e.id from backend_event e
      where e.applied_at is null and (e.parked_at is not null or e.received_on + (
        select keep_days from partition_policy where table_name = 'backend_event') < current_date)
      order by e.id limit ${limit} for update skip locked)`,
  );
}

/** Lists parked events, the oldest first. */
export async function listParkedEvents(
  queries: Queries,
  filter: { status: ParkedEventStatus | null; sessionName: string | null },
  page: { after: string | null; limit: number },
): Promise<ParkedEvent[]> {
  const { status, sessionName } = filter;
  return rows(queries, ParkedEvent)`
    select ${COLUMNS} from parked_event p
    where ${status === null ? sql`true` : sql`p.status = ${sql.lit(status)}`}
      and (${sessionName}::text is null or p.session_name = ${sessionName}) and p.id > ${page.after ?? '0'}::bigint
    order by p.id limit ${page.limit}`;
}

export async function findParkedEvent(queries: Queries, id: string): Promise<ParkedEvent | undefined> {
  return row(queries, ParkedEvent)`select ${COLUMNS} from parked_event p where p.id = ${id}::bigint`;
}

const Body = z.object({ body: z.string(), backend: z.string().nullable() });

/**
 * Locks a parked event until the commit and returns its body and the server that sent it; undefined when the event was
 * applied or ignored already.
 */
export async function lockParkedEvent(tx: Tx, id: string): Promise<z.output<typeof Body> | undefined> {
  return row(
    tx,
    Body,
  )`select body, backend from parked_event where id = ${id}::bigint and status = 'parked' for update`;
}

export async function endParkedEvent(tx: Tx, id: string, status: 'applied' | 'ignored'): Promise<void> {
  await run(tx)`
    update parked_event set status = ${status}, attempts = attempts + 1, error = null, ended_at = ${tx.now}
    where id = ${id}::bigint`;
}

export async function recordParkedFailure(tx: Tx, id: string, error: string): Promise<void> {
  await run(tx)`
    update parked_event set attempts = attempts + 1, error = ${error.slice(0, 500)}
    where id = ${id}::bigint and status = 'parked'`;
}

/** Forgets old events that were applied or ignored; parked ones stay. */
export async function forgetParkedEvents(tx: Tx, endedBefore: Date, limit: number): Promise<number> {
  return run(tx)`
    delete from parked_event where id = any(array(select id from parked_event
      where ended_at < ${endedBefore} order by ended_at limit ${limit}))`;
}
