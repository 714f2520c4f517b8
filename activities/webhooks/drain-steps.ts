import { isRolledBack } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { drainSteps, releaseDrain, renewDrains } from '../../db/webhooks/delivery.ts';
import type { Step, Stepped } from '../../db/webhooks/delivery.ts';

/**
 * A delivery that is claimed ahead waits for one attempt and then takes one of its own, so the lease is longer than two
 * attempts.
 */
const DELIVERY_LEASE_MS = 120_000;
/**
 * Bounds the statements of each kind that run at a time. Steps that are asked for meanwhile share the next statement.
 */
const MAX_STATEMENTS = 2;
/** Bounds the endpoints of one statement, because a lock that one endpoint waits for holds up the others. */
const MAX_STEPS = 16;

export type DrainSteps = (step: Step) => Promise<Stepped>;

interface Asking {
  step: Step;
  resolve: (stepped: Stepped) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes the steps of all drains of a process in few statements, so that many endpoints with little to do share the wait
 * for the disk. A step that only claims does not wait for the disk. Such steps have a queue of their own, so they do
 * not wait for the steps that do.
 */
export function createDrainSteps(database: Pick<Database, 'statement'>, leases: DrainLeases): DrainSteps {
  const claims = createQueue(database, leases);
  const records = createQueue(database, leases);
  return (step) => (step.results.length === 0 ? claims : records)(step);
}

function createQueue(database: Pick<Database, 'statement'>, leases: DrainLeases): DrainSteps {
  const waiting: Asking[] = [];
  let running = 0;

  async function work(): Promise<void> {
    // Drains that were woken by the same commit ask in the same turn of the event loop.
    await Promise.resolve();
    while (waiting.length > 0) await run(waiting.splice(0, MAX_STEPS));
    running -= 1;
  }

  async function run(asking: readonly Asking[]): Promise<void> {
    const steps = asking.map(({ step }) => step);
    // The database counts a lease from a later time than this, so by our count it ends before it ends in the database.
    const sentAtMs = performance.now();
    try {
      const stepped = await database.statement((tx) =>
        drainSteps(tx, steps, { deliveryMs: DELIVERY_LEASE_MS, drainMs: DRAIN_LEASE_MS }),
      );
      for (const [place, { step, resolve, reject }] of asking.entries()) {
        const mine = stepped[place];
        if (!mine || mine instanceof Error) {
          reject(mine ?? new Error('A step of a drain has no answer.'));
          continue;
        }
        leases.note(step.token, mine.held, sentAtMs);
        resolve(mine);
      }
    } catch (error) {
      // A step that may have been done must not be repeated under its token, because it would not find its claims again.
      if (asking.length === 1 || !isRolledBack(error)) for (const { reject } of asking) reject(error);
      // A step that fails must not take the others with it, so each runs alone.
      else await Promise.all(asking.map((each) => run([each])));
    }
  }

  return (step) =>
    new Promise((resolve, reject) => {
      waiting.push({ step, resolve, reject });
      if (running >= MAX_STATEMENTS) return;
      running += 1;
      void work();
    });
}

/** A drain whose process died is taken over after this time. */
export const DRAIN_LEASE_MS = 5_000;
const RENEW_EVERY_MS = 1_500;
/** A lease counts as unsure from this long before its end, and nothing more is posted under it. */
const MARGIN_MS = 1_000;

export type DrainLeases = ReturnType<typeof createDrainLeases>;

/**
 * Keeps the leases of the drains of one process. Steps take the leases and give them back. While attempts take longer
 * than a step, all leases are renewed here by one statement.
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
    /** Notes whether the drain has its lease after a step whose statement was sent at `sentAtMs`. */
    note(token: string, isHeld: boolean, sentAtMs: number): void {
      if (!isHeld) return drop(token);
      // The step need not have made the lease longer, so an earlier time stays.
      if (!held.has(token)) held.set(token, sentAtMs);
      timer ??= setInterval(() => void renew(), RENEW_EVERY_MS);
    },

    /** True while no other process can have taken the lease, nor will take it within a moment. */
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
