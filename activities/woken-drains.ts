import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityDependencies } from './dependencies.ts';
import { LINGER_MS } from './drain.ts';
import type { Drain } from './drain.ts';

export interface WokenDrainsLog {
  warn(fields: object, message: string): void;
}

/** More wait for the poll, which hands them to Temporal and so to whichever worker has room. */
const AT_ONCE = 200;
/** After the stop, as long as a worker's activities have. */
const GRACE_MS = 8_000;

/**
 * Drains an endpoint as soon as somebody has written to it, here or in another process. A hint like every wake-up: the
 * pending delivery is the promise, and the poll hands what nobody drains to the endpoint's workflow.
 */
export function startWokenDrains(
  { database, stopping }: Pick<ActivityDependencies, 'database' | 'stopping'>,
  drain: Drain,
  log: WokenDrainsLog,
) {
  const draining = new Map<string, Promise<void>>();
  /** Endpoints that another drain held when we came, which hears the wake-ups for now, and until when we leave them to it. */
  const leftAlone = new Map<string, number>();

  const off = database.wakeups.on('delivery', (endpointId) => {
    if (stopping.aborted || draining.size >= AT_ONCE || draining.has(endpointId)) return;
    if ((leftAlone.get(endpointId) ?? 0) > Date.now()) return;
    leftAlone.delete(endpointId);
    draining.set(endpointId, work(endpointId));
  });

  async function work(endpointId: string): Promise<void> {
    try {
      let drained;
      do drained = await drain(endpointId, () => undefined);
      while (drained?.nextInMs === 0 && !stopping.aborted);
      if (drained === null) leftAlone.set(endpointId, Date.now() + LINGER_MS);
    } catch (error) {
      log.warn({ err: error, endpointId }, 'a drain failed; what it left is promised by the poll');
    } finally {
      draining.delete(endpointId);
    }
  }

  return {
    /** After `stopping`: what is on its way is recorded, within the grace. */
    async finish(): Promise<void> {
      off();
      await Promise.race([Promise.all(draining.values()), pause(GRACE_MS, undefined, { ref: false })]);
    },
  };
}
