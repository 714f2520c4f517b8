import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { PRIORITY, workflowId } from '../domain/names.ts';
import type { Priority } from '../domain/names.ts';
import { WORKFLOWS } from '../domain/workflows.ts';
import type { PromisedType, SignalOf } from '../domain/workflows.ts';
import type { Tx } from './engine/tx.ts';
import { run } from './engine/rows.ts';

/**
 * Says which workflows of a type are promised. The rest of a promise comes from the registry
 * (`registry/workflow-functions.ts`).
 */
export interface Promised<Type extends PromisedType> {
  /** A condition on `r`, the rows of the type's table. */
  which: RawBuilder<unknown>;
  /**
   * The signal for the workflow, which is started first if it is not open. Without a signal an open workflow is left
   * alone.
   */
  signal?: SignalOf<Type>;
  /** The priority; the type's own when left out. */
  priority?: Priority;
  /** The key and the arguments of the workflow, where they are not simply the id of the row. */
  execution?: { key: string; args: unknown[] };
}

/** Promises that are made only for workflows that have no open promise. */
export interface MissingPromises<Type extends PromisedType> extends Promised<Type> {
  /** The time at which the row `r` last moved; null when repeated promises are not counted. */
  movedAt: RawBuilder<unknown> | null;
  /** A parked promise keeps another from being made for this long. */
  parkedForMs?: number;
  /** Appended to the workflow's title. */
  note?: string;
  /** Counts the former hand-overs of the workflows. The dispatcher puts only those without any into slices. */
  attempts?: number;
}

/**
 * Promises these workflows, with the rows that the transaction writes about them. They begin after `delayMs` if it is
 * given. `attempts` is how often they were handed over before, in another promise.
 */
export async function promise<Type extends PromisedType>(
  tx: Tx,
  type: Type,
  { delayMs = 0, attempts = 0, ...promised }: Promised<Type> & { delayMs?: number; attempts?: number },
): Promise<void> {
  const promises = promisesOf(type, { ...promised, movedAt: null });
  await run(tx)`insert into dispatch (${COLUMNS}, attempts, not_before)
    select ${COLUMNS}, ${attempts}::int, clock_timestamp() + ${delayMs} * interval '1 millisecond'
    from (${promises}) promised`;
  tx.wake('dispatch');
}

/** A parked promise that its row still needs is tried again after this long, and not at each look. */
export const PROMISE_AGAIN_AFTER_MS = 5 * 60_000;

/**
 * Promises these workflows, except those that have an open promise, and returns how many it has promised. A parked
 * promise is replaced, so that a workflow has one row however long it cannot be started.
 */
export async function promiseMissing<Type extends PromisedType>(
  tx: Tx,
  type: Type,
  missing: MissingPromises<Type>,
): Promise<number> {
  const isMissing = isUnpromised(sql`w.workflow_id`, missing.parkedForMs ?? PROMISE_AGAIN_AFTER_MS);
  const promised = await run(tx)`
    with wanted as (${promisesOf(type, missing)}), missing as (
      select w.* from wanted w where ${isMissing}
    ), replaced as (
      delete from dispatch d using missing m where d.workflow_id = m.workflow_id and d.parked_at is not null
    )
    insert into dispatch (${COLUMNS}, attempts, times_promised)
    select ${COLUMNS}, ${missing.attempts ?? 0}::int,
      case when moved_at is null then 0 else count_promise(workflow_id, moved_at, ${tx.now}) end
    from (select * from missing order by workflow_id) m`;
  if (promised > 0) tx.wake('dispatch');
  return promised;
}

/** A workflow that is told something, with the arguments of the signal. */
export interface Told {
  key: string;
  agencyId: string;
  args?: unknown[];
}

/** Promises a signal to a workflow that is open; a workflow that has closed does not get it and does not need it. */
export async function tellOpen<Type extends PromisedType>(
  tx: Tx,
  type: Type,
  { signal, ...told }: Told & { signal: SignalOf<Type> },
): Promise<void> {
  await run(tx)`${insertTold(type, signal, [told])}`;
  tx.wake('dispatch');
}

/** Makes the statement that promises a signal to each of these workflows, for a statement that does more than that. */
export function insertTold<Type extends PromisedType>(
  type: Type,
  signal: SignalOf<Type>,
  told: readonly Told[],
): RawBuilder<unknown> {
  const promises = told.map(({ key, agencyId, args = [] }) => ({ id: workflowId(type, key), key, agencyId, args }));
  return sql`
    insert into dispatch (workflow_type, workflow_id, action, signal, signal_args, args, priority, agency_id)
    select ${type}, p.id, 'signal', ${signal}, p.args, jsonb_build_array(p.key), ${PRIORITY.background}, p."agencyId"
    from jsonb_to_recordset(${JSON.stringify(promises)}::jsonb) as p(id text, key text, "agencyId" text, args jsonb)`;
}

/** An SQL condition: the workflow has no open dispatch, and none that was parked less than `parkedForMs` ago. */
export function isUnpromised(id: RawBuilder<unknown>, parkedForMs: number): RawBuilder<unknown> {
  return sql`not exists (select 1 from dispatch open where open.workflow_id = ${id}
    and (open.parked_at is null or open.parked_at > clock_timestamp() - ${parkedForMs} * interval '1 millisecond'))`;
}

const COLUMNS = sql.raw('workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id');

/** Selects the columns of a dispatch for each of these workflows, and `moved_at`. */
function promisesOf<Type extends PromisedType>(
  type: Type,
  { which, signal, priority, execution, movedAt, note }: MissingPromises<Type>,
): RawBuilder<unknown> {
  const { kind, row } = WORKFLOWS[type];
  const id = execution ? sql`${workflowId(type, execution.key)}::text` : sql`w.workflow_id`;
  const args = execution ? sql`${JSON.stringify(execution.args)}::jsonb` : sql`w.args`;
  return sql`
    select w.workflow_type, ${id} as workflow_id,
      ${signal === undefined ? 'start' : 'signal_with_start'}::text as action,
      ${signal ?? null}::text as signal, ${args} as args, w.attributes, w.summary || ${note ?? ''} as summary,
      coalesce(${priority ?? null}::smallint, w.priority) as priority, w.agency_id,
      (${movedAt ?? sql`null`})::timestamptz as moved_at
    from ${sql.table(row)} r cross join lateral ${sql.ref(`${kind}_workflow`)}(r) w
    where ${which}`;
}
