import { z } from 'zod';
import { listMoments, timeZoneOf } from '../../db/automations/past.ts';
import type { Database } from '../../db/engine/database.ts';
import { one, rows, run } from '../../db/engine/rows.ts';
import type { Queries } from '../../db/engine/tx.ts';
import { Trigger } from '../../domain/automations/trigger.ts';
import type { TenantScope } from '../../domain/scope.ts';

/** Beside what is waited for, so that the timer of the workflow has certainly ended. */
const SLACK_MS = 1_000;
const MINUTE_MS = 60_000;

const MomentRow = z.object({ atMs: z.number().nullable() });
const TriggerRow = z.object({ trigger: Trigger });

/**
 * Returns the time until an execution's wait ends, or the clock alone may start a trigger of the tenant's; `atMostMs`
 * without any. The engine reports its starts then, and skips those that were due for hours. So time must not pass over
 * these moments.
 */
export async function untilNextMs(database: Database, scope: TenantScope, atMostMs: number): Promise<number> {
  return database.read(async (queries) => {
    const triggers = await rows(queries, TriggerRow)`
      select trigger from automation
      where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and enabled`;
    const untilMs: number[] = [atMostMs];
    const waitMs = await nextWaitMs(queries);
    if (waitMs !== null) untilMs.push(waitMs);
    for (const { trigger } of triggers) {
      const atMs = await nextTriggerMs(queries, scope, { trigger, atMostMs });
      if (atMs !== null) untilMs.push(atMs - queries.now.getTime());
    }
    return Math.ceil(Math.min(...untilMs));
  });
}

/** Returns the time until the next execution's wait certainly ends. Null if none waits. */
async function nextWaitMs(queries: Queries): Promise<number | null> {
  const { atMs } = await one(queries, MomentRow)`
    select (extract(epoch from min(waits_until)) * 1000)::float8 as "atMs" from automation_execution
    where status = 'running'`;
  return atMs === null ? null : Math.max(0, atMs - queries.now.getTime()) + SLACK_MS;
}

/** When the trigger may be due next; null when time alone makes it due at no moment. */
async function nextTriggerMs(
  queries: Queries,
  scope: TenantScope,
  { trigger, atMostMs }: { trigger: Trigger; atMostMs: number },
): Promise<number | null> {
  switch (trigger.event) {
    case 'schedule': {
      // A moment that is due now has run already, maybe without effect. Only a later moment lets time pass.
      const nowMs = queries.now.getTime();
      const period = { fromMs: nowMs + 1, toMs: nowMs + atMostMs, limit: 1 };
      const { at, days = null } = trigger;
      const [next] = await listMoments(queries, await timeZoneOf(queries, scope), { at, days, ...period });
      return next ?? null;
    }
    case 'unanswered':
    case 'unread':
      return nextSilenceMs(queries, scope, trigger.forMinutes * MINUTE_MS);
    default:
      return null;
  }
}

/** When the next of the latest messages will be so old. The message's author and readers may change until then. */
async function nextSilenceMs(queries: Queries, scope: TenantScope, forMs: number): Promise<number | null> {
  const { atMs } = await one(queries, MomentRow)`
    select (extract(epoch from min(last_message_at)) * 1000)::float8 + ${forMs}::int as "atMs" from conversation
    where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and last_message_at > ${new Date(queries.now.getTime() - forMs)}`;
  return atMs;
}

/**
 * Makes the partitions into which is written after that time: the engine goes by the calendar, which tests cannot move.
 * It drops none, because what comes from outside has the time of the calendar.
 */
export async function makePartitions(database: Database, inMs: number): Promise<void> {
  await database.transaction(async (tx) => {
    await run(tx)`
      select make_partition(p.table_name, starts, p.period_days) from partition_policy p
      cross join lateral partition_starts(${new Date(tx.now.getTime() + inMs)}::timestamptz::date, p.period_days) starts`;
  });
}
