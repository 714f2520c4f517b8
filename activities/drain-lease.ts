import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { holdDrain, releaseDrain } from '../db/delivery.ts';
import type { DrainOwner } from '../db/delivery.ts';

/** A drain whose process died is taken over after this time. */
export const DRAIN_LEASE_MS = 10_000;

/** The right to drain one endpoint. A renewal that is under way would take it again, so a release waits for it. */
export function createDrainLease(database: Database, endpointId: string) {
  const token = randomUUID();
  let held = false;
  let renewing: Promise<unknown> | null = null;
  // A lease that a crashing server forgets ends the drain at its next claim.
  const take = (): Promise<DrainOwner | null> =>
    database.statement((q) => holdDrain(q, endpointId, token, DRAIN_LEASE_MS));
  return {
    /** What the drain claims and writes under. */
    token,
    /** Whose endpoint it is; null when somebody else has the lease. */
    async hold(): Promise<DrainOwner | null> {
      const owner = await take();
      held = owner !== null;
      return owner;
    },
    renew(): void {
      if (!held || renewing) return;
      // One that cannot be renewed runs out, which the token on every claim and record makes harmless.
      renewing = take()
        .catch(() => null)
        .finally(() => {
          renewing = null;
        });
    },
    async release(): Promise<void> {
      if (!held) return;
      held = false;
      await renewing;
      await database.statement((q) => releaseDrain(q, endpointId, token));
    },
  };
}
