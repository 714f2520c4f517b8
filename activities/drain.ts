import { nextDeliveryAt } from '../db/delivery.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createAttemptSlots } from './attempt-slots.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import { createDrainLease } from './drain-lease.ts';
import { DrainRun } from './drain-run.ts';

export interface Drained {
  delivered: number;
  failed: number;
  /** Milliseconds until there is something to do again; null when nothing is pending. */
  nextInMs: number | null;
  /** Wake-ups from then on were not heard any more, by `performance.now()`. */
  lookedAtMs: number;
}

/** Posts what is due to one endpoint; `alive` is called now and then. Null when somebody else is at it. */
export type Drain = (endpointId: string, alive: () => void) => Promise<Drained | null>;

/** The drains of one process. */
export interface Drains {
  drain: Drain;
  /** One that only lingers ends: others wait to begin. */
  makeRoom: () => void;
}

const RENEW_EVERY_MS = 3_000;
const DRAIN_FOR_MS = 60_000;
/** Most events do not come alone. */
const LINGER_MS = 2_000;

export function createDrains(
  deps: Pick<ActivityDependencies, 'database' | 'egress' | 'stopping'>,
  { slots = createAttemptSlots(), lingerMs = LINGER_MS }: { slots?: AttemptSlots; lingerMs?: number } = {},
): Drains {
  const { database, stopping } = deps;
  const runs = new Map<string, DrainRun>();
  const lingering = new Set<() => void>();
  database.wakeups.on('delivery', (endpointId) => runs.get(endpointId)?.wake());
  stopping.addEventListener('abort', () => {
    for (const run of runs.values()) run.stop();
  });

  /**
   * Until nothing is left or a minute is over. Safe to repeat: rows are leased, and a row whose worker died is posted
   * again under the same event id.
   */
  async function drain(endpointId: string, alive: () => void): Promise<Drained | null> {
    const lease = createDrainLease(database, endpointId);
    let owner = await lease.hold();
    if (owner === null) return null;
    const renewal = setInterval(() => {
      alive();
      lease.renew();
    }, RENEW_EVERY_MS);
    const until = Date.now() + DRAIN_FOR_MS;
    const drained: Drained = { delivered: 0, failed: 0, nextInMs: null, lookedAtMs: 0 };
    try {
      while (owner !== null) {
        const run = new DrainRun(
          { ...deps, slots, lingering, lingerMs },
          { endpointId, owner, token: lease.token, until, drained },
        );
        runs.set(endpointId, run);
        await run.toEnd();
        await lease.release();
        // A writer may have seen the lease a moment before it was cleared and woken nobody: look once more.
        drained.lookedAtMs = performance.now();
        drained.nextInMs = await untilNext(endpointId);
        // Another process takes what this one leaves.
        if (stopping.aborted && drained.nextInMs === 0) database.wakeups.wake('delivery', endpointId);
        const goesOn = drained.nextInMs === 0 && Date.now() < until && !stopping.aborted;
        owner = goesOn ? await lease.hold() : null;
      }
      return drained;
    } finally {
      clearInterval(renewal);
      runs.delete(endpointId);
      await lease.release();
    }
  }

  async function untilNext(endpointId: string): Promise<number | null> {
    const at = await database.read((queries) => nextDeliveryAt(queries, endpointId));
    return at === null ? null : Math.max(0, at.getTime() - database.clock.now().getTime());
  }

  return {
    drain,
    makeRoom: () => {
      const [first] = lingering;
      first?.();
    },
  };
}
