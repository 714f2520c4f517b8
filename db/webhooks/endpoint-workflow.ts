import { sql } from 'kysely';
import { IdRow } from '../engine/columns.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { promise, promiseMissing } from '../promises.ts';

/**
 * Promises the execution that an endpoint has as long as it exists. The transaction that makes the endpoint calls this.
 */
export async function promiseEndpointWorkflow(tx: Tx, endpoint: { id: string }): Promise<void> {
  await promiseMissing(tx, 'deliverWebhooks', { which: sql`r.id = ${endpoint.id}`, movedAt: null });
}

/**
 * Signals the endpoint's execution to read the row again. The transaction that changes the row calls this. The
 * execution of a deleted endpoint completes. The promise is always a new one, because an open promise may be kept a
 * moment before the change can be seen.
 */
export async function tellEndpointWorkflow(tx: Tx, endpointId: string): Promise<void> {
  await promise(tx, 'deliverWebhooks', { which: sql`r.id = ${endpointId}`, signal: 'changed' });
  await run(tx)`
    update endpoint_health h set told = ${TO_TELL} from endpoint e
    where e.id = ${endpointId} and h.endpoint_id = e.id and h.told <> ${TO_TELL}`;
}

/** The state that an execution is told, from `endpoint e` and its `endpoint_health h`. */
const TO_TELL = sql`e.status || ' ' || h.breaker || case when h.failing_since is null then '' else ' failing' end`;

/** Lists endpoints whose execution was not told their present state, because the process that had to tell it died. */
export async function listEndpointsToTell(queries: Queries, limit: number): Promise<string[]> {
  const found = await rows(queries, IdRow)`
    select e.id from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and h.told <> ${TO_TELL} order by e.id limit ${limit}`;
  return found.map(({ id }) => id);
}

/** Promises the executions of all endpoints, for a new Temporal store, which has none. */
export async function promiseEndpointWorkflows(tx: Tx): Promise<number> {
  return promiseMissing(tx, 'deliverWebhooks', { which: sql`r.deleted_at is null`, movedAt: null });
}

/**
 * Promises missing executions of the endpoints after `after`, at most `limit` in each round; returns where the next
 * round begins. A Temporal store that was restored from a copy lacks some executions, and nothing else would notice
 * while their endpoints do well.
 */
export async function promiseNextEndpointWorkflows(tx: Tx, after: string, limit: number): Promise<string> {
  const found = await rows(tx, IdRow)`
    select id from endpoint where deleted_at is null and id > ${after} order by id limit ${limit}`;
  await promiseEndedEndpointWorkflows(
    tx,
    found.map(({ id }) => id),
  );
  return found.length < limit ? '' : (found.at(-1)?.id ?? '');
}

/** Promises the execution of each of these endpoints that still exists. */
export async function promiseEndedEndpointWorkflows(tx: Tx, endpointIds: string[]): Promise<number> {
  const which = sql`r.deleted_at is null and r.id = any(${endpointIds}::text[])`;
  return promiseMissing(tx, 'deliverWebhooks', { which, movedAt: null });
}
