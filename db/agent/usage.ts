import { z } from 'zod';
import { RESERVATION_MS, STEP_DOWN_AT } from '../../domain/agent/budget.ts';
import type { Budget, Budgets } from '../../domain/agent/budget.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** The owner of a budget. Without a contact, only the tenant's budget is used. */
export interface Spender extends TenantScope {
  contactId: string | null;
}

export interface Usage {
  replies: number;
  tokens: number;
  costMicros: number;
}

/** The levels in the order of `budget.sql`. At `wait`, requests under way may use all that is left. */
const LEVELS = ['ok', 'step_down', 'wait', 'spent'] as const;
type Level = (typeof LEVELS)[number];

/** Usage is kept for this long, so that any month of the past year can be shown. */
export const KEEP_USAGE_DAYS = 400;

/** The keys of the argument of `record_usage` but `replies`, which `conclude_turn` adds. */
export const USAGE_KEYS = {
  agencyId: true,
  tenantId: true,
  contactId: true,
  tokens: true,
  costMicros: true,
  reservationId: true,
} as const;
const usageJson = jsonParameter({ ...USAGE_KEYS, replies: true }, 'record_usage.p');

/**
 * Adds the usage to the day, for the tenant and the contact, and gives back the tokens that were set aside for it. A
 * request after this commit sees the real number instead of the reserved one.
 */
export async function recordUsage(tx: Tx, spender: Spender, usage: Usage, reservationId: string | null = null) {
  const { agencyId, tenantId, contactId } = spender;
  const used = { agencyId, tenantId, contactId, ...usage, reservationId };
  await run(tx)`select record_usage(${usageJson(used)}::jsonb, ${tx.now})`;
}

const LevelRow = z.object({ level: z.int() });

/** The answer of `agent_budget` (`desk.sql`). */
export const BudgetFacts = LevelRow.extend({ isTalkedOut: z.boolean() });
export type BudgetFacts = z.output<typeof BudgetFacts>;

/**
 * Answers how much of the budget a new turn finds used. Nothing is set aside for it; each request to a model calls
 * {@link reserveBudget} for that.
 */
export function budgetOf({ level, isTalkedOut }: BudgetFacts): Budget {
  const found = levelOf(level);
  if (isTalkedOut || found === 'spent') return 'spent';
  return found === 'ok' ? 'ok' : 'step_down';
}

/**
 * Sets aside the most tokens that a request to a model can use (`request.tokens`), before each request. However many
 * requests run at once, a budget is then exceeded by one request at most. A second call under the same `id` is the same
 * reservation. At `wait` the caller asks again shortly, because other requests have set aside more than they will use.
 */
export async function reserveBudget(
  tx: Tx,
  { agencyId, tenantId, contactId }: Spender,
  request: { id: string; tokens: number },
  persona: Budgets,
): Promise<Budget | 'wait'> {
  const found = await row(tx, LevelRow)`
    select reserve_budget(${agencyId}, ${tenantId}, ${contactId ?? ''}, ${request.id}, ${request.tokens}::bigint,
      ${persona.maxTokensPerDay}::bigint, ${persona.maxTokensPerContactPerDay}::bigint, ${STEP_DOWN_AT}::numeric,
      ${tx.now}::timestamptz, ${RESERVATION_MS} * interval '1 millisecond') as level`;
  return levelOf(found?.level);
}

/** Gives a reservation back, because the request was not made or brought nothing. */
export async function returnReservation(tx: Tx, id: string): Promise<void> {
  await run(tx)`delete from ai_reservation where id = ${id}`;
}

const UsedDay = z.object({ day: z.string(), replies: z.int(), tokens: z.int(), costMicros: z.int() });
export type UsedDay = z.output<typeof UsedDay>;

/** Reads what the agent of a tenant has used on each of the last days (of UTC) on which it used anything. */
export async function readUsedDays(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  days: number,
): Promise<UsedDay[]> {
  const since = new Date(queries.now.getTime() - (days - 1) * 86_400_000);
  return rows(queries, UsedDay)`
    select day::text, replies, tokens::float8, cost_micros::float8 as "costMicros" from ai_usage
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and contact_id = '' and day >= ${since}::timestamptz::date
    order by day`;
}

/** Forgets old usage and reservations that nobody has used. Returns how many of one or the other, `limit` at most. */
export async function forgetUsage(tx: Tx, limit: number): Promise<number> {
  const ago = (ms: number): Date => new Date(tx.now.getTime() - ms);
  const days = await run(tx)`
    delete from ai_usage where ctid = any(array(select ctid from ai_usage
      where day < ${ago(KEEP_USAGE_DAYS * 86_400_000)}::timestamptz::date order by day limit ${limit}))`;
  const reservations = await run(tx)`
    delete from ai_reservation where ctid = any(array(select ctid from ai_reservation
      where at < ${ago(RESERVATION_MS)} limit ${limit}))`;
  return Math.max(days, reservations);
}

function levelOf(level: number | undefined): Level {
  const known = LEVELS[level ?? -1];
  if (!known) throw new Error('The budget was not read.');
  return known;
}
