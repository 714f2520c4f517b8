import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityDependencies } from './dependencies.ts';
import type { Drains } from './drain.ts';

export interface WokenDrainsLog {
  warn(fields: object, message: string): void;
}

/** Most of them linger or wait for an answer; how much is attempted at a time is bounded elsewhere. */
const AT_ONCE = 1_000;
/** Where another process drains the endpoint, its wake-ups are that one's for so long. */
const LEAVE_ALONE_MS = 1_000;
/** After the stop, as long as a worker's activities have. */
const GRACE_MS = 8_000;

/**
 * Drains an endpoint as soon as somebody has written to it, here or in another process. A hint like every wake-up: the
 * pending delivery is the promise, and the poll hands what nobody drains to the endpoint's workflow.
 */
export function startWokenDrains(
  { database, stopping }: Pick<ActivityDependencies, 'database' | 'stopping'>,
  { drain, makeRoom }: Drains,
  log: WokenDrainsLog,
) {
  const draining = new Map<string, Promise<void>>();
  /** In the order in which they were woken, for when there is room. */
  const queue = new Set<string>();
  /** When each endpoint that we are at was last woken, by `performance.now()`. */
  const wokenAt = new Map<string, number>();

  const off = database.wakeups.on('delivery', (endpointId) => {
    if (stopping.aborted) return;
    if (draining.has(endpointId)) {
      wokenAt.set(endpointId, performance.now());
      return;
    }
    if (draining.size < AT_ONCE) begin(endpointId);
    else {
      queue.add(endpointId);
      makeRoom();
    }
  });

  function begin(endpointId: string): void {
    draining.set(endpointId, work(endpointId));
  }

  async function work(endpointId: string): Promise<void> {
    try {
      while (!stopping.aborted) {
        const askedAtMs = performance.now();
        const drained = await drain(endpointId, () => undefined);
        // What was woken after its last look nobody has heard.
        const missed = (wokenAt.get(endpointId) ?? -Infinity) >= (drained?.lookedAtMs ?? askedAtMs);
        if (drained === null) {
          await pause(LEAVE_ALONE_MS, undefined, { signal: stopping });
          if ((wokenAt.get(endpointId) ?? -Infinity) < askedAtMs) break;
        } else if (drained.nextInMs !== 0 && !missed) break;
      }
    } catch (error) {
      if (!stopping.aborted)
        log.warn({ err: error, endpointId }, 'a drain failed; what it left is promised by the poll');
    } finally {
      draining.delete(endpointId);
      wokenAt.delete(endpointId);
      const [next] = queue;
      if (next !== undefined && !stopping.aborted) {
        queue.delete(next);
        begin(next);
      }
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
