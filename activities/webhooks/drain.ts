import { drainOwner } from '../../db/webhooks/delivery.ts';
import type { DrainOwner } from '../../db/webhooks/delivery.ts';
import { createAttemptSlots, Grant } from './attempt-slots.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { DrainRun } from './drain-run.ts';
import type { Drained } from './drain-run.ts';
import { createDrainLeases, createDrainSteps } from './drain-steps.ts';

/** Posts what is due to one endpoint. Returns null when another process drains it. */
export type Drain = (endpointId: string) => Promise<Drained | null>;

/**
 * A drain waits this long at most for a rate's next slot, or for the end of a pause that the endpoint has asked for.
 */
const MAX_HOLD_MS = 2_000;
const OWNERS_KNOWN = 10_000;

/** Creates the drains of one process. */
export function createDrains(
  deps: Pick<ActivityDependencies, 'database' | 'egress' | 'stopping'>,
  { slots = createAttemptSlots(), longestHoldMs = MAX_HOLD_MS }: { slots?: AttemptSlots; longestHoldMs?: number } = {},
): Drain {
  const { database, stopping } = deps;
  const leases = createDrainLeases(database);
  const means = { ...deps, longestHoldMs, leases, steps: createDrainSteps(database, leases) };
  const runs = new Map<string, DrainRun>();
  const ends = new Map<string, Promise<Drained | null>>();
  /**
   * The owner of each endpoint, as its first drain read it. Owners are not read again, because they only decide whose
   * attempts are counted together.
   */
  const owners = new Map<string, DrainOwner>();
  database.wakeups.on('delivery', (endpointId) => runs.get(endpointId)?.wake());
  database.wakeups.on('endpoint', (endpointId) => runs.get(endpointId)?.look());
  stopping.addEventListener('abort', () => {
    for (const run of runs.values()) run.stop();
  });

  async function ownerOf(endpointId: string): Promise<DrainOwner> {
    const owner = await database.read((queries) => drainOwner(queries, endpointId));
    owners.set(endpointId, owner);
    const [first] = owners.keys();
    if (owners.size > OWNERS_KNOWN && first !== undefined) owners.delete(first);
    return owner;
  }

  async function begin(endpointId: string): Promise<Drained | null> {
    try {
      const owner = owners.get(endpointId) ?? (await ownerOf(endpointId));
      const run = new DrainRun(means, endpointId, new Grant(slots, owner));
      runs.set(endpointId, run);
      const drained = await run.toEnd();
      // Another process must take what a stopping process leaves, so it is woken.
      if (stopping.aborted && drained?.nextInMs === 0) database.wakeups.wake('delivery', endpointId);
      return drained;
    } finally {
      runs.delete(endpointId);
      ends.delete(endpointId);
    }
  }

  /**
   * Drains until nothing is due or a minute is over. Callers that ask while this process drains the endpoint get the
   * end of that drain. Safe to repeat: rows are leased, and a row whose worker died is posted again under the same
   * event id.
   */
  return (endpointId) => {
    runs.get(endpointId)?.wake();
    const end = ends.get(endpointId) ?? begin(endpointId);
    ends.set(endpointId, end);
    return end;
  };
}
