import { sql } from 'kysely';
import { IdRow } from '../columns.ts';
import { rows, run } from '../rows.ts';
import type { Tx } from '../tx.ts';

/** Distinguishes these advisory locks from others; any fixed number would do. */
const REPLAY_LOCK = 7_215_003;

/**
 * Locks the endpoint against other transactions that make deliveries for past events, because each event has one
 * delivery at an endpoint. False when the endpoint was deleted. It cannot be deleted before the commit.
 */
export async function lockForReplay(tx: Tx, endpointId: string): Promise<boolean> {
  await run(tx)`select pg_advisory_xact_lock(${REPLAY_LOCK}, hashtext(${endpointId}))`;
  const found = await run(tx)`
    select 1 from endpoint where id = ${endpointId} and deleted_at is null for share`;
  return found > 0;
}

/** Assignments that make a delivery pending again; its count of attempts goes on. */
const ANEW = sql`status = 'pending', place = coalesce(place, id), ladder_step = 0, done_at = null,
  first_attempt_at = null,
  lease_token = null, leased_until = null`;

/**
 * Puts deliveries back into their lanes by their places, and makes the first of each lane ready. Later deliveries of a
 * lane wait for them again, except those that are being attempted.
 */
export async function requeue(tx: Tx, endpointId: string, deliveries: { id: string; lane: string }[]): Promise<void> {
  if (deliveries.length === 0) return;
  const lanes = [...new Set(deliveries.map(({ lane }) => lane))].toSorted();
  const heads = await lockHeads(tx, endpointId, lanes);
  await run(tx)`
    update delivery set ${ANEW}, ready = false, out_of_order = false, next_attempt_at = ${tx.now}
    where id = any(${deliveries.map(({ id }) => id)}::bigint[])`;
  await readyHeads(tx, endpointId, lanes, heads);
  tx.wake('delivery', endpointId);
}

/**
 * Locks the heads of the lanes, so that a drain that records an attempt of a head at the same moment does so wholly
 * before or wholly after this transaction.
 */
async function lockHeads(tx: Tx, endpointId: string, lanes: readonly string[]): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select head.id::text as id from unnest(${lanes}::text[]) as l(lane) cross join lateral (
      select d.id from delivery d
      where d.endpoint_id = ${endpointId} and d.lane = l.lane and d.status = 'pending' and not d.out_of_order
      order by d.place limit 1 for update of d) head`;
  return found.map(({ id }) => id);
}

/**
 * Makes the first delivery of each lane ready. A delivery of `before`, the former heads, that is no longer first
 * becomes unready, unless it is being attempted.
 */
async function readyHeads(
  tx: Tx,
  endpointId: string,
  lanes: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  await run(tx)`
    with first as (
      select head.id from unnest(${lanes}::text[]) as l(lane) cross join lateral (
        select d.id from delivery d
        where d.endpoint_id = ${endpointId} and d.lane = l.lane and d.status = 'pending' and not d.out_of_order
        order by d.place limit 1) head
    ), wanted as (
      select id, true as ready from first
      union all select id, false from unnest(${before}::bigint[]) as b(id) where id not in (select id from first)
    )
    update delivery d set ready = w.ready from wanted w
    where d.id = w.id and d.ready <> w.ready and (w.ready or d.leased_until is null)`;
}

/**
 * Sends a delivery now, ahead of all others in its lane; it is marked `out_of_order` when others wait there. A pending
 * delivery that is the head of its lane keeps its order and just goes at once.
 */
export async function sendAgainNow(tx: Tx, endpointId: string, id: string): Promise<void> {
  await run(tx)`
    update delivery d set ${ANEW}, ready = true, next_attempt_at = ${tx.now},
      out_of_order = d.out_of_order or (not (d.status = 'pending' and d.ready) and exists (select 1 from delivery o
        where o.endpoint_id = d.endpoint_id and o.lane = d.lane and o.status = 'pending' and o.id <> d.id))
    where d.id = ${id}::bigint and d.endpoint_id = ${endpointId}
      and (d.leased_until is null or d.leased_until < clock_timestamp())`;
  tx.wake('delivery', endpointId);
}
