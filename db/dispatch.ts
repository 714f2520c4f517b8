import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { workflowId } from '../domain/names.ts';
import type { Priority, SearchAttribute, SignalName, WorkflowType } from '../domain/names.ts';
import type { Tx } from './tx.ts';

/** A promise to start or signal a workflow; its arguments are ids only. */
export interface NewDispatch {
  type: WorkflowType;
  key: string;
  action: 'start' | 'signal' | 'signal_with_start';
  signal?: SignalName;
  signalArgs?: unknown[];
  args?: unknown[];
  attributes: Partial<Record<SearchAttribute, string>>;
  /** Shown in Temporal's UI: ids and kinds only. */
  summary?: string;
  priority: Priority;
  agencyId: string;
}

export interface Dispatch {
  id: string;
  workflowType: string;
  workflowId: string;
  action: 'start' | 'signal' | 'signal_with_start';
  signal: string | null;
  signalArgs: unknown[];
  args: unknown[];
  attributes: Partial<Record<SearchAttribute, string>>;
  summary: string | null;
  priority: number;
  agencyId: string;
  attempts: number;
  /** How often its row has said so since it moved; 0 where that is not counted. */
  timesPromised: number;
}

export async function insertDispatch(tx: Tx, dispatch: NewDispatch): Promise<void> {
  await sql`
    insert into dispatch (workflow_type, workflow_id, action, signal, signal_args, args, attributes, summary, priority, agency_id)
    values (${dispatch.type}, ${workflowId(dispatch.type, dispatch.key)}, ${dispatch.action}, ${dispatch.signal ?? null},
      ${JSON.stringify(dispatch.signalArgs ?? [])}, ${JSON.stringify(dispatch.args ?? [dispatch.key])},
      ${JSON.stringify(dispatch.attributes)}, ${dispatch.summary ?? null}, ${dispatch.priority}, ${dispatch.agencyId})`.execute(
    tx.sql,
  );
  tx.wake('dispatch');
}

/** A parked promise that its row still needs is tried again after this long, and not at each look. */
export const PROMISE_AGAIN_AFTER_MS = 5 * 60_000;

/** True where no open dispatch, and none that was parked less than `parkedForMs` ago, is for the workflow. */
export function isUnpromised(id: RawBuilder<unknown>, parkedForMs: number): RawBuilder<unknown> {
  return sql`not exists (select 1 from dispatch open where open.workflow_id = ${id}
    and (open.parked_at is null or open.parked_at > clock_timestamp() - ${parkedForMs} * interval '1 millisecond'))`;
}

/** What must run by what rows say: what is told of it is the same for all of them, or an expression on the row. */
export interface Wanted {
  type: WorkflowType;
  key: RawBuilder<unknown>;
  action: 'start' | 'signal_with_start';
  signal: SignalName | null;
  attributes: RawBuilder<unknown>;
  summary: RawBuilder<unknown>;
  priority: Priority;
  agencyId: RawBuilder<unknown>;
  /** When the row last moved; null where promises are not counted. */
  movedAt: RawBuilder<unknown> | null;
}

/** The columns of a dispatch, and `moved_at`. */
export function wantedColumns(wanted: Wanted): RawBuilder<unknown> {
  const { type, key, action, signal, attributes, summary, priority, agencyId, movedAt } = wanted;
  return sql`${type}::text as workflow_type, ${workflowId(type, '')} || ${key} as workflow_id, ${action}::text as action,
    ${signal}::text as signal, jsonb_build_array(${key}) as args, ${attributes} as attributes, ${summary} as summary,
    ${priority}::smallint as priority, ${agencyId} as agency_id, (${movedAt ?? sql`null`})::timestamptz as moved_at`;
}

/**
 * Promises what rows say must run and nothing promises yet; `select` is the query that answers the columns it is given. One
 * that was parked is replaced, so that there is one row a workflow however long it cannot be started.
 */
export async function insertMissing(
  tx: Tx,
  wanted: Wanted,
  select: (columns: RawBuilder<unknown>) => RawBuilder<unknown>,
  parkedForMs = PROMISE_AGAIN_AFTER_MS,
): Promise<number> {
  const { rows } = await sql<object>`
    with wanted as (${select(wantedColumns(wanted))}), missing as (
      select w.* from wanted w where ${isUnpromised(sql`w.workflow_id`, parkedForMs)}
    ), replaced as (
      delete from dispatch d using missing m where d.workflow_id = m.workflow_id and d.parked_at is not null
    )
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id, times_promised)
    select workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id,
      case when moved_at is null then 0 else count_promise(workflow_id, moved_at, ${tx.now}) end
    from (select * from missing order by workflow_id) m
    returning id`.execute(tx.sql);
  if (rows.length > 0) tx.wake('dispatch');
  return rows.length;
}

/**
 * Leases the next batch: by priority, then one of each agency in turn, so that a broadcast of one does not make the
 * others wait, however long it is: the agencies that have anything are found by skipping along the index from one to the
 * next. Leases use the database's own time. One statement, which nobody waits for the disk for: a lease that is lost in a
 * crash is taken again, and what it was for is safe to repeat.
 */
export async function claimDispatches(
  tx: Tx,
  batch: { token: string; size: number; leaseMs: number },
): Promise<Dispatch[]> {
  const { rows } = await sql<Dispatch>`
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
      select h.id, q.priority, row_number() over (partition by q.priority, q.agency_id order by h.id) as turn
      from startable q cross join lateral (
        select d.id from dispatch d
        where d.parked_at is null and d.priority = q.priority and d.agency_id = q.agency_id
          and d.not_before <= clock_timestamp() and (d.leased_until is null or d.leased_until < clock_timestamp())
        -- Where the queues are more than the batch, their first few fill it.
        order by d.id limit (select case when count(*) > ${batch.size} then 4 else ${batch.size} end from startable)) h
    ), head as (
      -- More than the batch: other processes are at the same rows.
      select id, priority, turn from ready order by priority, turn, id limit ${batch.size * 4}
    ), at_once as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), picked as (
      select d.id from dispatch d join head h on h.id = d.id cross join at_once
      where d.parked_at is null and (d.leased_until is null or d.leased_until < clock_timestamp())
      order by h.priority, h.turn, d.id limit ${batch.size}
      for update of d skip locked
    )
    update dispatch d set lease_token = ${batch.token}, attempts = d.attempts + 1,
      leased_until = clock_timestamp() + ${batch.leaseMs} * interval '1 millisecond'
    from picked where d.id = picked.id
    returning d.id::text as id, d.workflow_type as "workflowType", d.workflow_id as "workflowId", d.action, d.signal,
      d.signal_args as "signalArgs", d.args, d.attributes, d.summary, d.priority, d.agency_id as "agencyId", d.attempts,
      d.times_promised as "timesPromised"`.execute(tx.sql);
  return rows.toSorted((a, b) => a.priority - b.priority || Number(BigInt(a.id) - BigInt(b.id)));
}

export interface DispatchResults {
  done: string[];
  /** Refused for good: kept with the error, never claimed again. */
  parked: { id: string; error: string }[];
  /** To be tried again after a pause. */
  retry: { id: string; error: string; delayMs: number }[];
}

/** Ends a batch in one statement. A row whose lease was lost in the meantime is left to its new owner. */
export async function finishDispatches(tx: Tx, token: string, results: DispatchResults): Promise<void> {
  await sql`
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
    where d.id = r.id and d.lease_token = ${token}`.execute(tx.sql);
}
