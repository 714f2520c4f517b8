import { z } from 'zod';
import type { Rate } from '../../domain/rate.ts';
import { OwnLimits } from '../../domain/tenants/limits.ts';
import type { Limits, LimitsChange } from '../../domain/tenants/limits.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const LimitsRow = z.object({ limits: OwnLimits });

/** Undefined when the agency is not registered. */
export async function findLimits(queries: Queries, agencyId: string): Promise<OwnLimits | undefined> {
  return (await row(queries, LimitsRow)`select limits from agency where id = ${agencyId}`)?.limits;
}

/** Merges the given limits; one that is null is removed. Undefined when the agency is not registered. */
export async function updateLimits(tx: Tx, agencyId: string, change: LimitsChange): Promise<OwnLimits | undefined> {
  const updated = await row(tx, LimitsRow)`
    update agency set limits = jsonb_strip_nulls(limits || ${JSON.stringify(change)}::jsonb), updated_at = ${tx.now}
    where id = ${agencyId} returning limits`;
  if (updated) tx.wake('agency', agencyId);
  return updated?.limits;
}

const MICROS = 1_000_000;

/** Every process writes the ceilings at its start: all of them, and the functions of the database, use the same. */
export async function writeCeilings(tx: Tx, limits: Limits): Promise<void> {
  const agencyCost = Math.round(limits.costPerDay * MICROS);
  const tenantCost = Math.round(limits.tenantCostPerDay * MICROS);
  await run(tx)`
    update ceiling c set tenant_tokens = w.tt, tenant_cost_micros = w.tc, agency_tokens = w.at,
      agency_cost_micros = w.ac, tenants = w.n
    from (select ${limits.tenantTokensPerDay}::bigint as tt, ${tenantCost}::bigint as tc,
      ${limits.tokensPerDay}::bigint as at, ${agencyCost}::bigint as ac, ${limits.tenants}::int as n) w
    where (c.tenant_tokens, c.tenant_cost_micros, c.agency_tokens, c.agency_cost_micros, c.tenants)
      is distinct from (w.tt, w.tc, w.at, w.ac, w.n)`;
}

/** Every process writes at its start how many runs of automations an agency may have, which all processes then use. */
export async function writeAutomationCeiling(tx: Tx, limits: Limits): Promise<void> {
  const { automationsRunning, automationsPerMinute } = limits;
  await run(tx)`
    update automation_ceiling set running = ${automationsRunning}, per_minute = ${automationsPerMinute}
    where (running, per_minute) is distinct from (${automationsRunning}::int, ${automationsPerMinute}::int)`;
}

const SpendingRow = z.object({ agencyId: z.string(), tokens: z.number(), costMicros: z.number() });
export type AgencySpending = z.output<typeof SpendingRow>;

/** Lists what models have used and cost today, by agency. */
export async function listSpending(queries: Queries): Promise<AgencySpending[]> {
  return rows(queries, SpendingRow)`
    select agency_id as "agencyId", tokens::float8 as tokens, cost_micros::float8 as "costMicros"
    from ai_usage where tenant_id = '' and contact_id = ''
      and day = (${queries.now}::timestamptz at time zone 'UTC')::date order by agency_id`;
}

const ShareRow = z.object({ agencyId: z.string(), share: z.number() });

/** Lists the agencies that have another share than the usual one. */
export async function listShares(queries: Queries): Promise<Map<string, number>> {
  const found = await rows(queries, ShareRow)`
    select id as "agencyId", stored_number(limits->'share', 0.1) as share from agency
    where limits ? 'share' and stored_number(limits->'share', 0.1) is not null`;
  return new Map(found.map(({ agencyId, share }) => [agencyId, share]));
}

/** Units that one process has counted of a subject since its last report to the others. */
export interface Spent {
  subject: string;
  units: number;
  rate: Rate;
}

const LevelRow = z.object({ subject: z.string(), level: z.number() });

/**
 * Takes from the common levels what this process has spent, and returns what is left of each. Processes that spent at
 * the same time may together have spent more than there was; the next minutes pay for it, but for one burst at most. It
 * was spent within the last second, in which units came back to a level that was full, too. A clock that was set back
 * takes nothing away.
 */
export async function spendUnits(tx: Tx, spent: readonly Spent[]): Promise<Map<string, number>> {
  const given = spent.map(({ subject, units, rate: { perMinute, burst } }) => ({
    subject,
    spent: units,
    burst,
    perSecond: perMinute / 60,
  }));
  const levels = await rows(tx, LevelRow)`
    insert into request_rate as r (subject, level, spent, burst, per_second, counted_at)
    select subject, greatest(-burst, least(burst, burst + "perSecond" - spent)), spent, burst, "perSecond",
      clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      as g(subject text, spent float8, burst float8, "perSecond" float8)
    order by subject
    on conflict (subject) do update set spent = excluded.spent, burst = excluded.burst,
      per_second = excluded.per_second, counted_at = excluded.counted_at,
      level = greatest(-excluded.burst, least(excluded.burst, -excluded.spent
        + least(excluded.burst + excluded.per_second,
          r.level + greatest(0, extract(epoch from excluded.counted_at - r.counted_at)::float8)
            * excluded.per_second)))
    returning subject, level`;
  return new Map(levels.map(({ subject, level }) => [subject, level]));
}

/** Forgets levels that are full again. Returns how many, `limit` at most. */
export async function forgetLevels(tx: Tx, before: Date, limit: number): Promise<number> {
  return run(tx)`
    delete from request_rate where subject = any(array(select subject from request_rate
      where counted_at < ${before} order by counted_at limit ${limit}))`;
}
