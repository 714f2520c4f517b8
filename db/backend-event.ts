import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Queries, Tx } from './database.ts';

export interface BackendEventRow {
  id: string;
  receivedOn: string;
  body: string;
  attempts: number;
}

/** Parked after this many failures: visible, re-appliable, and no longer in the way of others. */
const MAX_APPLY_ATTEMPTS = 5;

/**
 * Step one of the ingest: the raw body, before anything is made of it. A delivery repeated on the same day (same
 * request id, else same body) is stored once; one repeated over midnight is caught when it is applied.
 */
export async function receiveBackendEvent(
  queries: Queries,
  received: { sessionName: string; requestId: string | null; body: string },
): Promise<void> {
  const key = received.requestId ?? createHash('sha256').update(received.body).digest('base64url');
  // The one character that PostgreSQL's text cannot hold; JSON has it escaped.
  const body = received.body.replaceAll('\u0000', '\ufffd');
  await sql`
    insert into backend_event (session_name, request_key, body) values (${received.sessionName}, ${key}, ${body})
    on conflict (received_on, session_name, request_key) do nothing`.execute(queries.sql);
}

/** The sessions that have events to apply, the longest waiting first. */
export async function listSessionsWithEvents(queries: Queries, limit: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select session_name as name from backend_event
    where applied_at is null and parked_at is null and (retry_at is null or retry_at <= clock_timestamp())
    group by session_name order by min(id) limit ${limit}`.execute(queries.sql);
  return rows.map((row) => row.name);
}

/**
 * The next events of a session in the order they came, or none when another process is applying that session's:
 * the advisory lock lasts until the transaction ends.
 */
export async function takeBackendEvents(tx: Tx, sessionName: string, limit: number): Promise<BackendEventRow[]> {
  const lock = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`apply:${sessionName}`}, 0)) as locked`.execute(tx.sql);
  if (lock.rows[0]?.locked !== true) return [];
  const { rows } = await sql<BackendEventRow>`
    select id::text as id, received_on::text as "receivedOn", body, attempts from backend_event
    where session_name = ${sessionName} and applied_at is null and parked_at is null
      and (retry_at is null or retry_at <= clock_timestamp())
    order by backend_event.id limit ${limit}`.execute(tx.sql);
  return rows;
}

export async function markApplied(tx: Tx, rows: BackendEventRow[]): Promise<void> {
  await sql`
    update backend_event e set applied_at = clock_timestamp(), error = null
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, "receivedOn" date)
    where e.received_on = r."receivedOn" and e.id = r.id`.execute(tx.sql);
}

/** One failure of one event: again after a pause that grows, then parked with its error. */
export async function markApplyFailed(tx: Tx, row: BackendEventRow, error: string): Promise<void> {
  await sql`
    update backend_event set attempts = attempts + 1, error = ${error.slice(0, 500)},
      retry_at = clock_timestamp() + power(2, attempts) * interval '1 second',
      parked_at = case when attempts + 1 >= ${MAX_APPLY_ATTEMPTS} then clock_timestamp() end
    where received_on = ${row.receivedOn}::date and id = ${row.id}::bigint`.execute(tx.sql);
}
