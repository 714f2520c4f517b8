import { z } from 'zod';
import type { Tx } from './engine/tx.ts';
import { rows, run } from './engine/rows.ts';

/** A promise to start or signal a workflow, as the dispatcher hands it over. */
const Dispatch = z.object({
  id: z.string(),
  workflowType: z.string(),
  workflowId: z.string(),
  action: z.enum(['start', 'signal', 'signal_with_start']),
  signal: z.string().nullable(),
  signalArgs: z.array(z.unknown()),
  args: z.array(z.unknown()),
  /**
   * The search attributes. A promise of another release may have attributes that are unknown here; those are left out,
   * so that the batch goes on.
   */
  attributes: z.record(z.string(), z.unknown()),
  summary: z.string().nullable(),
  priority: z.int(),
  agencyId: z.string(),
  attempts: z.int(),
  /** The number of times that the workflow was promised since its row moved; 0 when that is not counted. */
  timesPromised: z.int(),
  /** Since it might be handed over. */
  waitedSeconds: z.number(),
});
export type Dispatch = z.infer<typeof Dispatch>;

/**
 * Dispatchers note every three seconds whose work goes; one that is slow takes the next batch within this time. After a
 * longer break the work goes again.
 */
export const AT_WORK_SECONDS = 60;

/** The cost of a dispatch in its agency's share, by priority: a share carries twice as many replies as sends. */
const COSTS = [1, 2, 2, 4, 8];

/**
 * Leases the next batch of dispatches. Each agency has a share, and in it each priority: of an urgent one more are
 * taken, but none waits until all of a more urgent one are gone, so that neither a broadcast nor a flood of replies
 * makes others wait. It finds the agencies by jumping along the index from one to the next, however long their queues
 * are. Leases use the database's own time. The statement does not wait for the disk: a lease that is lost in a crash is
 * taken again, and a dispatch is safe to repeat. It notes every few seconds whose dispatches go, so that a session
 * knows whether others send, too (`is_beside_others`).
 */
export async function claimDispatches(
  tx: Tx,
  batch: {
    token: string;
    size: number;
    leaseMs: number;
    /** Says that Temporal takes nothing, so the agencies' work does not go. */
    isTrial?: boolean;
  },
): Promise<Dispatch[]> {
  const claimed = await rows(tx, Dispatch)`
    with recursive queue as (
      (select priority, agency_id from dispatch where parked_at is null order by priority, agency_id limit 1)
      union all
      select next.priority, next.agency_id from queue q cross join lateral (
        select d.priority, d.agency_id from dispatch d
        where d.parked_at is null and (d.priority, d.agency_id) > (q.priority, q.agency_id)
        order by d.priority, d.agency_id limit 1) next
    ), startable as (
      select q.priority, q.agency_id from queue q cross join lateral (
        select 1 from dispatch d
        where d.parked_at is null and d.priority = q.priority and d.agency_id = q.agency_id
          and d.not_before <= clock_timestamp() and (d.leased_until is null or d.leased_until < clock_timestamp())
        limit 1) first
    ), ready as (
      select h.id, q.priority, row_number() over (partition by q.priority, q.agency_id order by h.id)
        * (${COSTS}::float8[])[q.priority] / coalesce(stored_number(a.limits->'share', 0.1), 1) as turn
      from startable q left join agency a on a.id = q.agency_id cross join lateral (
        select d.id from dispatch d
        where d.parked_at is null and d.priority = q.priority and d.agency_id = q.agency_id
          and d.not_before <= clock_timestamp() and (d.leased_until is null or d.leased_until < clock_timestamp())
        -- When there are more queues than the batch has places, the first few dispatches of each fill the batch.
        order by d.id limit (select case when count(*) > ${batch.size} then 4 else ${batch.size} end from startable)) h
    ), head as (
      -- More rows than the batch are read, because other processes lock some of them at the same time.
      select id, priority, turn from ready order by turn, priority, id limit ${batch.size * 4}
    ), at_once as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), picked as (
      select d.id from dispatch d join head h on h.id = d.id cross join at_once
      where d.parked_at is null and (d.leased_until is null or d.leased_until < clock_timestamp())
      order by h.turn, h.priority, d.id limit ${batch.size}
      for update of d skip locked
    ), at_work as (
      insert into agency_at_work as w (agency_id, at, since)
      select d.agency_id, clock_timestamp(), clock_timestamp() from picked join dispatch d on d.id = picked.id
      where not ${batch.isTrial ?? false}::boolean and not exists (select 1 from agency_at_work w
        where w.agency_id = d.agency_id and w.at > clock_timestamp() - interval '3 seconds')
      -- Two processes that note the same agencies must not wait for each other.
      group by d.agency_id order by d.agency_id
      on conflict (agency_id) do update set at = excluded.at,
        since = case when w.at > excluded.at - ${AT_WORK_SECONDS} * interval '1 second' then w.since
          else excluded.since end
    )
    update dispatch d set lease_token = ${batch.token}, attempts = d.attempts + 1,
      leased_until = clock_timestamp() + ${batch.leaseMs} * interval '1 millisecond'
    from picked where d.id = picked.id
    returning d.id::text as id, d.workflow_type as "workflowType", d.workflow_id as "workflowId", d.action, d.signal,
      d.signal_args as "signalArgs", d.args, d.attributes, d.summary, d.priority, d.agency_id as "agencyId", d.attempts,
      d.times_promised as "timesPromised",
      greatest(extract(epoch from clock_timestamp() - d.not_before), 0)::float8 as "waitedSeconds"`;
  return claimed.toSorted((a, b) => a.priority - b.priority || Number(BigInt(a.id) - BigInt(b.id)));
}

/** The error of a promise that the dispatcher itself holds during a roll-out: it is not late. */
export const HELD_BY_ROLL_OUT = 'waits until no process of the former release is connected';

export interface DispatchResults {
  done: string[];
  /** Dispatches that were refused for good; they are kept with the error and never claimed again. */
  parked: { id: string; error: string }[];
  /** Dispatches that are tried again after a pause. */
  retry: { id: string; error: string; delayMs: number }[];
}

/**
 * Ends a batch in one statement. A dispatch whose lease was lost meanwhile is left to the process that leased it since.
 */
export async function finishDispatches(tx: Tx, token: string, results: DispatchResults): Promise<void> {
  await run(tx)`
    with done as (
      delete from dispatch where id = any(${results.done}::bigint[]) and lease_token = ${token}
    ), parked as (
      update dispatch d set parked_at = clock_timestamp(), last_error = r.error, lease_token = null, leased_until = null
      from jsonb_to_recordset(${JSON.stringify(results.parked)}::jsonb) as r(id bigint, error text)
      where d.id = r.id and d.lease_token = ${token}
    )
    update dispatch d set lease_token = null, leased_until = null, last_error = r.error,
      not_before = clock_timestamp() + r."delayMs" * interval '1 millisecond'
    from jsonb_to_recordset(${JSON.stringify(results.retry)}::jsonb) as r(id bigint, error text, "delayMs" int)
    where d.id = r.id and d.lease_token = ${token}`;
}
