import { setTimeout as pause } from 'node:timers/promises';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import type { Drain } from '../activities/webhooks/drain.ts';
import type { Log } from '../domain/log.ts';

/**
 * While another process drains the endpoint, or the endpoint gets nothing, its wake-ups are acted on no more often than
 * this.
 */
const LEAVE_ALONE_MS = 1_000;
/** A stop waits this long for drains, as for a worker's activities. */
const GRACE_MS = 8_000;

/**
 * Drains an endpoint as soon as somebody has written to it, here or in another process. A wake-up is only a hint: the
 * pending delivery is the promise, and the poll hands deliveries that nobody drains to the endpoint's workflow. The
 * attempts at a time are bounded; the endpoints that wait for an attempt are not.
 */
export function startWokenDrains(
  { database, stopping }: Pick<ActivityDependencies, 'database' | 'stopping'>,
  drain: Drain,
  log: Pick<Log, 'warn'>,
) {
  const draining = new Map<string, Promise<void>>();
  /** When each endpoint that this process drains was last woken, by `performance.now()`. */
  const wokenAt = new Map<string, number>();

  const off = database.wakeups.on('delivery', (endpointId) => {
    if (stopping.aborted) return;
    if (draining.has(endpointId)) wokenAt.set(endpointId, performance.now());
    else draining.set(endpointId, work(endpointId));
  });

  async function work(endpointId: string): Promise<void> {
    try {
      while (!stopping.aborted) {
        const askedAtMs = performance.now();
        const drained = await drain(endpointId);
        const lookedAtMs = drained?.lookedAtMs ?? askedAtMs;
        if (drained === null || drained.rests) await pause(LEAVE_ALONE_MS, undefined, { signal: stopping });
        else if (drained.nextInMs === 0) continue;
        // A drain has not seen deliveries that were announced after its last look, so then another drain follows.
        if ((wokenAt.get(endpointId) ?? -Infinity) < lookedAtMs) break;
      }
    } catch (error) {
      if (!stopping.aborted)
        log.warn({ err: error, endpointId }, 'a drain failed; what it left is promised by the poll');
    } finally {
      draining.delete(endpointId);
      wokenAt.delete(endpointId);
    }
  }

  return {
    /** Waits, after `stopping`, until attempts on their way are recorded, but no longer than the grace. */
    async finish(): Promise<void> {
      off();
      await Promise.race([Promise.all(draining.values()), pause(GRACE_MS, undefined, { ref: false })]);
    },
  };
}
