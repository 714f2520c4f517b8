import type { Database } from '../../db/database.ts';
import { releaseDrain, renewDrains } from '../../db/webhooks/delivery.ts';

/** A drain whose process died is taken over after this time. */
export const DRAIN_LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_500;
/** Nothing more is posted under a lease this long before its end. */
const MARGIN_MS = 1_000;

export type DrainLeases = ReturnType<typeof createDrainLeases>;

/**
 * The leases of the drains of one process. Steps take them and give them back; here they are renewed, all by one
 * statement, while attempts take longer than a step.
 */
export function createDrainLeases(database: Pick<Database, 'statement'>) {
  /** The time at which each lease was last taken or renewed, by `performance.now()`. */
  const held = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  async function renew(): Promise<void> {
    const sentAtMs = performance.now();
    const before = sentAtMs - RENEW_EVERY_MS;
    const old = [...held].filter(([, since]) => since < before).map(([token]) => token);
    if (renewing || old.length === 0) return;
    renewing = true;
    // A lease that cannot be renewed runs out. That is harmless, because every claim and record bears its token.
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
    /** Notes whether the drain has its lease after a step whose statement was sent then. */
    note(token: string, isHeld: boolean, sentAtMs: number): void {
      if (!isHeld) return drop(token);
      // The step may not have made the lease longer, so an earlier time stays.
      if (!held.has(token)) held.set(token, sentAtMs);
      timer ??= setInterval(() => void renew(), RENEW_EVERY_MS);
    },

    /** True while nobody else can have taken the lease, nor will for a moment. */
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
