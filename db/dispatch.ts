import { sql } from 'kysely';
import { workflowId } from '../domain/names.ts';
import type { Priority, SearchAttribute, SignalName, WorkflowType } from '../domain/names.ts';
import type { Queries, Tx } from './database.ts';

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

/**
 * Leases the next batch: by priority, then one of each agency in turn, so that a broadcast of one does not make the
 * others wait. Leases use the database's own time.
 */
export async function claimDispatches(
  tx: Tx,
  batch: { token: string; size: number; leaseMs: number },
): Promise<Dispatch[]> {
  const { rows } = await sql<Dispatch>`
    with ready as (
      select id, priority, row_number() over (partition by priority, agency_id order by id) as turn
      from (
        select id, priority, agency_id from dispatch
        where parked_at is null and not_before <= clock_timestamp()
          and (leased_until is null or leased_until < clock_timestamp())
        order by priority, id limit ${batch.size * 4}
      ) head
    ), picked as (
      select d.id from dispatch d join ready r on r.id = d.id
      where d.parked_at is null and (d.leased_until is null or d.leased_until < clock_timestamp())
      order by r.priority, r.turn, d.id limit ${batch.size}
      for update of d skip locked
    )
    update dispatch d set lease_token = ${batch.token}, attempts = d.attempts + 1,
      leased_until = clock_timestamp() + ${batch.leaseMs} * interval '1 millisecond'
    from picked where d.id = picked.id
    returning d.id::text as id, d.workflow_type as "workflowType", d.workflow_id as "workflowId", d.action, d.signal,
      d.signal_args as "signalArgs", d.args, d.attributes, d.summary, d.priority, d.agency_id as "agencyId", d.attempts`.execute(
    tx.sql,
  );
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
export async function finishDispatches(queries: Queries, token: string, results: DispatchResults): Promise<void> {
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
    where d.id = r.id and d.lease_token = ${token}`.execute(queries.sql);
}
