import { isRolledBack } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { drainSteps } from '../../db/webhooks/delivery.ts';
import type { Step, Stepped } from '../../db/webhooks/delivery.ts';
import { DRAIN_LEASE_MS } from './drain-leases.ts';

/** Longer than two attempts one after the other: what is claimed ahead waits for one. */
const DELIVERY_LEASE_MS = 120_000;
/** Statements under way at a time, of each kind; what asks meanwhile goes together with the next. */
const AT_ONCE = 2;
/** Endpoints of one statement: a lock that one has to wait for holds up the others. */
const MOST = 16;

/** The result of a step, and when its statement was sent (by `performance.now()`): the lease began no earlier. */
export type Sent = Stepped & { sentAtMs: number };
export type DrainSteps = (step: Step) => Promise<Sent>;

interface Asking {
  step: Step;
  resolve: (stepped: Sent) => void;
  reject: (error: unknown) => void;
}

/**
 * The steps of all drains of a process, as few statements as there are round trips: many endpoints with little to do each
 * share them, and the wait for the disk. What only claims does not wait for the disk, and so not for those that do.
 */
export function createDrainSteps(database: Pick<Database, 'statement'>): DrainSteps {
  const claims = createQueue(database);
  const records = createQueue(database);
  return (step) => (step.results.length === 0 ? claims : records)(step);
}

function createQueue(database: Pick<Database, 'statement'>): DrainSteps {
  const waiting: Asking[] = [];
  let running = 0;

  async function work(): Promise<void> {
    // Whoever was woken by the same commit asks in the same turn.
    await Promise.resolve();
    while (waiting.length > 0) await run(waiting.splice(0, MOST));
    running -= 1;
  }

  async function run(asking: readonly Asking[]): Promise<void> {
    const steps = asking.map(({ step }) => step);
    const sentAtMs = performance.now();
    try {
      const stepped = await database.statement((tx) =>
        drainSteps(tx, steps, { deliveryMs: DELIVERY_LEASE_MS, drainMs: DRAIN_LEASE_MS }),
      );
      for (const [place, { resolve, reject }] of asking.entries()) {
        const mine = stepped[place];
        if (mine) resolve({ ...mine, sentAtMs });
        else reject(new Error('A step of a drain has no answer.'));
      }
    } catch (error) {
      // A step that may have been done must not be repeated under its token: it would not find its claims again.
      if (asking.length === 1 || !isRolledBack(error)) for (const { reject } of asking) reject(error);
      // A step that fails must not take the others with it, so each runs alone.
      else await Promise.all(asking.map((each) => run([each])));
    }
  }

  return (step) =>
    new Promise((resolve, reject) => {
      waiting.push({ step, resolve, reject });
      if (running >= AT_ONCE) return;
      running += 1;
      void work();
    });
}
