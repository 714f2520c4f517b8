import type { Database } from '../../db/database.ts';
import { releaseDrain, renewDrains } from '../../db/webhooks/delivery.ts';

/** A drain whose process died is taken over after this time. */
export const DRAIN_LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_500;
/** This long before its end nothing more is posted under it. */
const MARGIN_MS = 1_000;

export type DrainLeases = ReturnType<typeof createDrainLeases>;

/**
 * The leases that the drains of one process hold: taken and given back by their steps, and renewed here, all by one
 * statement, while attempts are under way for longer than a step.
 */
export function createDrainLeases(database: Pick<Database, 'statement'>) {
  /** When each was taken or renewed at the latest, by `performance.now()`. */
  const held = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  async function renew(): Promise<void> {
    const sentAtMs = performance.now();
    const before = sentAtMs - RENEW_EVERY_MS;
    const old = [...held].filter(([, since]) => since < before).map(([token]) => token);
    if (renewing || old.length === 0) return;
    renewing = true;
    // One that cannot be renewed runs out, which the token on every claim and record makes harmless.
    const renewed = await database.statement((tx) => renewDrains(tx, old, DRAIN_LEASE_MS)).catch(() => []);
    for (const token of renewed) if (held.has(token)) held.set(token, sentAtMs);
    renewing = false;
  }

  function drop(token: string): void {
    held.delete(token);
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Notes whether a step found the lease held. */
    note(token: string, isHeld: boolean, sentAtMs: number): void {
      if (!isHeld) return drop(token);
      // It may be one that was not made longer.
      if (!held.has(token)) held.set(token, sentAtMs);
      timer ??= setInterval(() => void renew(), RENEW_EVERY_MS);
    },

    /** Nobody else has taken it, and will not for a moment. */
    isSure(token: string): boolean {
      return performance.now() - (held.get(token) ?? -Infinity) < DRAIN_LEASE_MS - MARGIN_MS;
    },

    /** Gives back a lease that no step has given back. */
    async giveBack(endpointId: string, token: string): Promise<void> {
      if (!held.has(token)) return;
      drop(token);
      await database.statement((tx) => releaseDrain(tx, endpointId, token));
    },
  };
}
