import type { Database } from '../db/engine/database.ts';
import { listShares } from '../db/tenants/limits.ts';
import type { AgencyShares } from '../domain/shares.ts';

/** A share that an operator has changed is noticed within this time. A worker that does nothing does not ask. */
const ASK_EVERY_MS = 30_000;

/** Knows the shares of the few agencies that have another than the usual one. */
export function createAgencyShares(database: Pick<Database, 'read'>): AgencyShares {
  let shares: ReadonlyMap<string, number> = new Map();
  let askedAtMs = -Infinity;

  async function ask(): Promise<void> {
    askedAtMs = performance.now();
    try {
      shares = await database.read(listShares);
    } catch {
      // The shares of before hold until the next question; whoever works needs the database, too, and says what it lacks.
    }
  }

  return {
    weightOf(agencyId) {
      if (performance.now() - askedAtMs > ASK_EVERY_MS) void ask();
      return shares.get(agencyId) ?? 1;
    },
  };
}
