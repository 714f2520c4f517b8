import { z } from 'zod';
import { forgetUsage } from './agent/usage.ts';
import type { Database } from './database.ts';
import { rows, run } from './rows.ts';
import type { Tx } from './tx.ts';
import { forgetEndpoints } from './webhooks/forget-endpoints.ts';
import { forgetStoredAnswers } from './idempotency.ts';
import { deleteExpiredMemories } from './agent/forget-memory.ts';
import { forgetParkedEvents, parkOverdueEvents } from './network/parked-event.ts';
import { tidyRehearsals } from './agent/rehearsal.ts';

/** A parked ack or revocation waits this long for its message. */
const PARKED_DAYS = 2;
/** Ended deliveries, parked dispatches and ended turns are kept for this long. */
const KEEP_DAYS = 90;
/**
 * The newest turn of a conversation is always kept, because it says up to where all is answered. Turns older than this
 * are not looked at, because otherwise every clean-up would look at the last turn of every quiet conversation.
 */
const TURNS_LOOK_BACK_DAYS = 2 * KEEP_DAYS;
/** One clean-up deletes at most this many rows of a kind; few are enough, because clean-ups are frequent. */
const BATCH = 1_000;

/**
 * Makes the partitions of the coming days, without which nothing could be written, and drops those whose time is over.
 */
export async function maintainPartitions(tx: Tx): Promise<void> {
  await run(tx)`select maintain_partitions(current_date)`;
}

/**
 * Deletes rows that are no longer needed. Each kind has a transaction of its own, because a long one would hold up
 * every pull of events.
 */
export const CLEAN_UPS = {
  async parkedAcks(tx) {
    await run(tx)`
    delete from parked_ack where at < clock_timestamp() - ${PARKED_DAYS} * interval '1 day'`;
    await run(tx)`delete from parked_revoke where at < ${daysAgo(tx, PARKED_DAYS)}`;
  },
  async finishedDeliveries(tx) {
    await run(tx)`
      delete from delivery where id = any(array(select id from delivery
        where status <> 'pending' and done_at < ${daysAgo(tx, KEEP_DAYS)} order by done_at limit ${BATCH}))`;
  },
  async parkedDispatches(tx) {
    await run(tx)`
      delete from dispatch where id = any(array(select id from dispatch
        where parked_at < ${daysAgo(tx, KEEP_DAYS)} order by parked_at limit ${BATCH}))`;
  },
  async endedTurns(tx) {
    await run(tx)`
      delete from ai_turn where id = any(array(select t.id from ai_turn t
        where t.outcome <> 'running' and t.ended_at < ${daysAgo(tx, KEEP_DAYS)}
          and t.ended_at > ${daysAgo(tx, TURNS_LOOK_BACK_DAYS)}
          and exists (select 1 from ai_turn newer where newer.conversation_id = t.conversation_id
            and newer.up_to_at > t.up_to_at and newer.outcome <> 'running')
        order by t.ended_at limit ${BATCH}))`;
  },
  async repeatedPromises(tx) {
    await run(tx)`
      delete from repeated_promise where workflow_id = any(array(select workflow_id from repeated_promise
        where counted_at < ${daysAgo(tx, 1)} order by counted_at limit ${BATCH}))`;
  },
  deletedEndpoints: (tx) => forgetEndpoints(tx, BATCH),
  storedAnswers: (tx) => forgetStoredAnswers(tx),
  rehearsals: (tx) => tidyRehearsals(tx, BATCH),
  expiredMemories: (tx) => deleteExpiredMemories(tx, BATCH),
  usage: (tx) => forgetUsage(tx),
  overdueBackendEvents: (tx) => parkOverdueEvents(tx, BATCH),
  parkedBackendEvents: (tx) => forgetParkedEvents(tx, KEEP_DAYS, BATCH),
} satisfies Record<string, (tx: Tx) => Promise<unknown>>;

export async function cleanUp(database: Database): Promise<void> {
  for (const forget of Object.values(CLEAN_UPS)) await database.transaction<unknown>(forget);
}

const LaneHeadRow = z.object({ id: z.string(), endpointId: z.string(), lane: z.string() });

/**
 * Ends deliveries whose event was dropped with its partition, because there is nothing left to post. Returns how many
 * it has ended, `limit` at most however long a lane is; call it until it returns 0.
 */
export async function failLostDeliveries(tx: Tx, limit: number): Promise<number> {
  // The head stays locked until the commit, as when its attempt is recorded: a transaction that adds to its lane waits
  // for us.
  const heads = await rows(tx, LaneHeadRow)`
    select d.id::text as id, d.endpoint_id as "endpointId", d.lane from delivery d
    where d.status = 'pending' and d.ready
      and d.event_created_at < ${tx.now}::timestamptz
        - (select keep_days from partition_policy where table_name = 'event') * interval '1 day'
      and not exists (select 1 from event e where e.created_at = d.event_created_at and e.id = d.event_id)
    order by d.event_created_at limit ${limit} for update of d skip locked`;
  if (heads.length === 0) return 0;
  // The last delivery of a lane is ended only when it is the head, because another transaction may have just queued a
  // delivery behind it. No more rows are read than may be ended.
  const ofEachLane = Math.floor(limit / heads.length);
  const count = await run(tx)`
    with head as (
      select h.id, h."endpointId" as endpoint_id, h.lane, last.place as last
      from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h(id bigint, "endpointId" text, lane text)
      left join lateral (
        select d.place from delivery d
        where d.endpoint_id = h."endpointId" and d.lane = h.lane and d.status = 'pending' and not d.out_of_order
        order by d.place desc limit 1) last on true
    ), lost as (
      select id from head
      union
      select d.id from (select distinct on (endpoint_id, lane) * from head) l cross join lateral (
        select d.id, d.place, d.event_id, d.event_created_at from delivery d
        where d.endpoint_id = l.endpoint_id and d.lane = l.lane and d.status = 'pending'
        order by d.place limit ${ofEachLane}) d
      where d.place < l.last
        and not exists (select 1 from event e where e.created_at = d.event_created_at and e.id = d.event_id)
      limit ${limit}
    )
    update delivery d set status = 'failed', last_class = 'expired', done_at = ${tx.now}, lease_token = null,
      leased_until = null
    from lost where d.id = lost.id and d.status = 'pending'
    returning 1`;
  await run(tx)`
    select promote_lanes(h."endpointId", array_agg(distinct h.lane))
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h("endpointId" text, lane text)
    group by h."endpointId"`;
  return count;
}

function daysAgo(tx: Tx, days: number): Date {
  return new Date(tx.now.getTime() - days * 86_400_000);
}
