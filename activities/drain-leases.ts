import type { Database } from '../db/database.ts';
import { releaseDrain, renewDrains } from '../db/delivery.ts';

/** A drain whose process died is taken over after this time. */
export const DRAIN_LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_500;

export type DrainLeases = ReturnType<typeof createDrainLeases>;

/**
 * The leases that the drains of one process hold: taken and given back by their steps, and renewed here, all by one
 * statement, while attempts are under way for longer than a step.
 */
export function createDrainLeases(database: Database) {
  /** When we heard of each, by `performance.now()`. */
  const held = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  async function renew(): Promise<void> {
    const before = performance.now() - RENEW_EVERY_MS;
    const old = [...held].filter(([, since]) => since < before).map(([token]) => token);
    if (renewing || old.length === 0) return;
    renewing = true;
    // One that cannot be renewed runs out, which the token on every claim and record makes harmless.
    await database.statement((queries) => renewDrains(queries, old, DRAIN_LEASE_MS)).catch(() => undefined);
    renewing = false;
  }

  function drop(token: string): void {
    held.delete(token);
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** As a step found it. */
    note(token: string, isHeld: boolean): void {
      if (!isHeld) return drop(token);
      if (!held.has(token)) held.set(token, performance.now());
      timer ??= setInterval(() => void renew(), RENEW_EVERY_MS);
    },

    /** What no step has given back. */
    async release(endpointId: string, token: string): Promise<void> {
      if (!held.has(token)) return;
      drop(token);
      await database.statement((queries) => releaseDrain(queries, endpointId, token));
    },
  };
}
