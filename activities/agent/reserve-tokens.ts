import { setTimeout as pause } from 'node:timers/promises';
import { reserveBudget } from '../../db/agent/usage.ts';
import type { Spender } from '../../db/agent/usage.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Budgets } from '../../domain/agent/budget.ts';

const LOOK_EVERY_MS = 300;
const MAX_WAIT_MS = 20_000;

/**
 * Reserves the tokens of a request. Concurrent requests share a budget: if together they may use it up, this one waits
 * until they have reported what they used.
 */
export async function reserveTokens(
  database: Database,
  spender: Spender,
  request: { id: string; tokens: number },
  budgets: Budgets,
  signal: AbortSignal,
): Promise<'ok' | 'step_down' | 'spent'> {
  for (const until = performance.now() + MAX_WAIT_MS; performance.now() < until;) {
    const budget = await database.statement((tx) => reserveBudget(tx, spender, request, budgets));
    if (budget !== 'wait') return budget;
    await pause(LOOK_EVERY_MS, undefined, { signal });
  }
  return 'spent';
}
