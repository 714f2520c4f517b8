import { sql } from 'kysely';
import { z } from 'zod';
import { PRIORITY } from '../../domain/names.ts';
import { IdRow } from '../columns.ts';
import { rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { promise, promiseMissing } from '../promises.ts';

/** A due delivery is left alone for this long, within which a worker has most likely been woken for it. */
const HEARD_WITHIN_MS = 1_000;
const UNHEARD_MS = 5_000;

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

const DueRow = z.object({ id: z.string(), dueAt: z.string(), isUnheard: z.boolean() });

/**
 * Wakes workers for endpoints that have a due delivery and no drain, because a wake-up was lost or its worker died. If
 * that has not helped, it promises a drain, unless one is promised already. A delivery that is leased to a dead drain
 * counts as due.
 */
export async function promiseDrains(tx: Tx): Promise<void> {
  const found = await rows(tx, DueRow)`
    select e.id, due.at as "dueAt",
      due.at <= ${tx.now}::timestamptz - ${UNHEARD_MS} * interval '1 millisecond' as "isUnheard"
    from endpoint e join endpoint_drain n on n.endpoint_id = e.id cross join lateral next_delivery_at(e.id) due(at)
    where e.status = 'active' and e.deleted_at is null
      and (n.drained_until is null or n.drained_until < clock_timestamp())
      and due.at <= ${tx.now}::timestamptz - ${HEARD_WITHIN_MS} * interval '1 millisecond'`;
  for (const { id } of found) tx.wake('delivery', id);
  const unheard = Object.fromEntries(found.filter(({ isUnheard }) => isUnheard).map(({ id, dueAt }) => [id, dueAt]));
  const ids = Object.keys(unheard);
  if (ids.length === 0) return;
  await promiseMissing(tx, 'deliverWebhooks', {
    which: sql`r.id = any(${ids}::text[])`,
    signal: 'due',
    priority: PRIORITY.api,
    // The due time moves with each attempt, so promises count as repeated only while no attempt is made.
    movedAt: sql`(${JSON.stringify(unheard)}::jsonb->>r.id)::timestamptz`,
  });
}
