import { sql } from 'kysely';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { wakeOwner } from './shards/shard-of.ts';

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

/**
 * Assignments that make a delivery pending again; its count of attempts goes on. A trigger notes it for the owner of
 * the endpoint's shard. Processes of the previous release claim only what is `ready`.
 */
const ANEW = sql`status = 'pending', place = coalesce(place, id), ladder_step = 0, done_at = null,
  first_attempt_at = null, ready = true,
  lease_token = null, leased_until = null`;

/** Puts deliveries back into their lanes by their places. Later deliveries of a lane wait for them again. */
export async function requeue(tx: Tx, endpointId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await run(tx)`
    update delivery set ${ANEW}, out_of_order = false, next_attempt_at = ${tx.now}
    where id = any(${ids}::bigint[]) and endpoint_id = ${endpointId}`;
  wakeOwner(tx, endpointId);
}

/**
 * Sends a delivery now, ahead of all others in its lane; it is marked `out_of_order` when others wait there. A pending
 * delivery that is the head of its lane keeps its order and just goes at once.
 */
export async function sendAgainNow(tx: Tx, endpointId: string, id: string): Promise<void> {
  await run(tx)`
    update delivery d set ${ANEW}, next_attempt_at = ${tx.now},
      out_of_order = d.out_of_order
        or (not (d.status = 'pending' and is_lane_head(d.endpoint_id, d.lane, d.place, d.out_of_order))
          and exists (select 1 from delivery o where o.endpoint_id = d.endpoint_id and o.lane = d.lane
            and o.status = 'pending' and o.id <> d.id))
    where d.id = ${id}::bigint and d.endpoint_id = ${endpointId}
      and (d.leased_until is null or d.leased_until < clock_timestamp())`;
  wakeOwner(tx, endpointId);
}
