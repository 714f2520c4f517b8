import { sql } from 'kysely';
import { z } from 'zod';
import { Timestamp } from './engine/columns.ts';
import type { Queries, Tx } from './engine/tx.ts';
import { one, row, run } from './engine/rows.ts';

/**
 * The repairs that have a row of their own, which says when each was last done; the steps of the reconcile have rows,
 * too.
 */
export type RepairName =
  'reconcile' | 'temporal-store' | 'ended-executions' | 'deleted-executions' | 'troubled-executions';

/** Makes the name under which a step of the reconcile has its row. */
const stepName = (step: string): string => `reconcile/${step}`;

const LastDone = z.object({ doneAt: Timestamp.nullable() });

/**
 * Claims a repair for this process if it was last done longer ago than `everyMs`; no other process may do it until it
 * is done or `leaseMs` is over. The claim is a row and not an advisory lock, which would hold a connection or a
 * transaction all the while.
 */
export async function claimRepair(
  tx: Tx,
  name: RepairName,
  { everyMs, leaseMs }: { everyMs: number; leaseMs: number },
): Promise<{ claimed: boolean; doneAt: Date | null }> {
  const claimed = await row(tx, LastDone)`
    insert into repair as r (name, claimed_until)
    values (${name}, clock_timestamp() + ${leaseMs} * interval '1 millisecond')
    on conflict (name) do update set claimed_until = excluded.claimed_until
    where (r.done_at is null or r.done_at < ${tx.now}::timestamptz - ${everyMs} * interval '1 millisecond')
      and (r.claimed_until is null or r.claimed_until < clock_timestamp())
    returning r.done_at as "doneAt"`;
  return { claimed: claimed !== undefined, doneAt: claimed?.doneAt ?? null };
}

/** Extends the claim of a repair that takes longer than its lease. */
export async function extendRepair(tx: Tx, name: RepairName, { leaseMs }: { leaseMs: number }): Promise<void> {
  await run(tx)`
    update repair set claimed_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where name = ${name} and claimed_until is not null`;
}

export async function recordRepair(tx: Tx, name: RepairName): Promise<void> {
  await run(tx)`
    insert into repair (name, done_at) values (${name}, ${tx.now})
    on conflict (name) do update set done_at = excluded.done_at, claimed_until = null`;
}

/**
 * Records which steps were done, and which failed with which error; a step that was done no longer counts as failing.
 */
export async function recordSteps(tx: Tx, done: string[], failed: Map<string, string>): Promise<void> {
  await run(tx)`
    update repair set done_at = ${tx.now} where name = any(${done.map(stepName)}::text[])`;
  for (const [step, error] of failed) {
    await run(tx)`
      insert into repair as r (name, failures, failed_at, error) values (${stepName(step)}, 1, ${tx.now}, ${error})
      on conflict (name) do update set failures = r.failures + 1, failed_at = excluded.failed_at,
        error = excluded.error`;
  }
}

/**
 * The rows that wait for a repair, counted or by the age of the oldest; an age is null when nothing of its kind waits.
 */
const RepairState = z.object({
  reconcileAgeSeconds: z.number().nullable(),
  oldestSendingSeconds: z.number().nullable(),
  unappliedBackendEventSeconds: z.number().nullable(),
  /** Since the oldest event is held that waits for a file, or behind one. */
  oldestHeldEventSeconds: z.number().nullable(),
  /** The number of files of contacts that are being fetched. */
  mediaFetches: z.int(),
  parkedDispatches: z.int(),
  parkedBackendEvents: z.int(),
  parkedOwnMessages: z.int(),
  /** The number of kinds of reports within a day that the engine does not know. */
  unknownReports: z.int(),
  /** The number of gaps that have ended and are not compared yet. */
  openGaps: z.int(),
  /** The number of workflows that were promised three times or more without their row having moved. */
  stuckWorkflows: z.int(),
  stepFailures: z.array(
    z.object({ step: z.string(), failures: z.int(), isFailing: z.boolean(), error: z.string().nullable() }),
  ),
});
export type RepairState = z.infer<typeof RepairState>;

/**
 * Reads the state of repairs over all tenants, for operators. Each number is read along an index of waiting rows, which
 * are few.
 */
export async function readRepairState(queries: Pick<Queries, 'sql' | 'now'>): Promise<RepairState> {
  const secondsSince = (at: ReturnType<typeof sql>) =>
    sql`(select greatest(extract(epoch from ${queries.now}::timestamptz - since.at), 0)::float8
      from (${at}) since where since.at is not null)`;
  return one(queries, RepairState)`
    select
      ${secondsSince(sql`select done_at as at from repair where name = 'reconcile'`)} as "reconcileAgeSeconds",
      ${secondsSince(sql`
        select min(claimed_at) as at from message where status = 'sending'`)} as "oldestSendingSeconds",
      ${secondsSince(sql`select min(received_at) as at from backend_event where applied_at is null`)}
        as "unappliedBackendEventSeconds",
      ${secondsSince(sql`select min(created_at) as at from held_event`)} as "oldestHeldEventSeconds",
      (select count(*)::int from media_fetch where not background) as "mediaFetches",
      (select count(*)::int from dispatch where parked_at is not null) as "parkedDispatches",
      (select count(*)::int from parked_event where status = 'parked') as "parkedBackendEvents",
      (select count(*)::int from parked_own_message) as "parkedOwnMessages",
      (select count(*)::int from unknown_report where last_at > ${queries.now}::timestamptz - interval '1 day')
        as "unknownReports",
      (select count(*)::int from gap where state <> 'closed' and to_at is not null) as "openGaps",
      (select count(*)::int from repeated_promise where times >= 3
        and counted_at > ${queries.now}::timestamptz - interval '15 minutes') as "stuckWorkflows",
      (select coalesce(jsonb_agg(jsonb_build_object('step', name, 'failures', failures, 'error', error,
        'isFailing', failed_at > coalesce(done_at, '-infinity')) order by name), '[]')
        from repair where failures > 0) as "stepFailures"`;
}
