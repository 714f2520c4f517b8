import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { createAttemptSlots } from '../../../activities/webhooks/attempt-slots.ts';
import { Deliverer } from '../../../activities/webhooks/shards/deliverer.ts';
import { Leases, leasingProcess } from '../../../activities/webhooks/shards/leases.ts';
import { createShardStore } from '../../../activities/webhooks/shards/store.ts';
import type { ShardStore } from '../../../activities/webhooks/shards/store.ts';
import { Tail } from '../../../activities/webhooks/shards/tail.ts';
import type { Database } from '../../../db/engine/database.ts';
import { nextDeliveryAt } from '../../../db/webhooks/delivery.ts';
import type { Receivers } from './a-drained-endpoint.ts';

/** The end of a drain, which posts what is due until nothing is. */
export interface Drained {
  delivered: number;
  failed: number;
  /** Milliseconds until there is something to do again; null when nothing is pending. */
  nextInMs: number | null;
}

/** The one worker of a test's database. */
const workers = new WeakMap<Database, { leases: Leases; store: ShardStore }>();

function workerOf(database: Database) {
  const known = workers.get(database);
  if (known) return known;
  const store = createShardStore(database);
  const worker = { store, leases: new Leases(store, randomUUID(), leasingProcess(database)) };
  workers.set(database, worker);
  return worker;
}

/** Owners that know of one endpoint each, so that a test says whose deliveries are posted, and when. */
export function drainsTo(database: Database, world: Pick<Receivers, 'post'>, slots = createAttemptSlots()) {
  const owners = new Map<string, Owner>();
  function ownerOf(endpointId: string): Owner {
    const owner = owners.get(endpointId) ?? new Owner(database, world, { endpointId, slots });
    owners.set(endpointId, owner);
    return owner;
  }
  return {
    drain: (endpointId: string): Promise<Drained> => ownerOf(endpointId).drain(),
    /** Has the owner read what is new, while it drains. */
    read: (endpointId: string): Promise<void> => ownerOf(endpointId).read(),
  };
}

class Owner {
  readonly #database: Database;
  readonly #endpointId: string;
  readonly #leases: Leases;
  readonly #deliverer: Deliverer;
  readonly #tail: Tail;
  readonly #tally = { delivered: 0, failed: 0 };

  constructor(
    database: Database,
    world: Pick<Receivers, 'post'>,
    { endpointId, slots }: { endpointId: string; slots: ReturnType<typeof createAttemptSlots> },
  ) {
    const { leases, store } = workerOf(database);
    const only = storeOfOne(store, endpointId);
    this.#database = database;
    this.#endpointId = endpointId;
    this.#leases = leases;
    this.#deliverer = new Deliverer({
      database,
      egress: { post: (request) => world.post(request) },
      store: only,
      leases,
      slots,
      failed: () => undefined,
      attempted: (record) => void (this.#tally[record.class === 'delivered' ? 'delivered' : 'failed'] += 1),
    });
    this.#tail = new Tail({ store: only, leases, deliverer: this.#deliverer, now: () => database.clock.now() });
  }

  read(): Promise<void> {
    return this.#tail.turn();
  }

  async drain(): Promise<Drained> {
    const before = { ...this.#tally };
    for (let quiet = 0; quiet < 2; quiet += 1) {
      const { delivered, failed } = this.#tally;
      await this.#leases.keep([]);
      await this.#tail.turn();
      this.#deliverer.pumpAll();
      while (!this.#deliverer.isIdle) await turn();
      if (this.#tally.delivered !== delivered || this.#tally.failed !== failed) quiet = -1;
    }
    // Nothing is posted between two drains, even if its time comes.
    this.#deliverer.stop();
    const at = await this.#database.read((queries) => nextDeliveryAt(queries, this.#endpointId));
    return {
      delivered: this.#tally.delivered - before.delivered,
      failed: this.#tally.failed - before.failed,
      nextInMs: at === null ? null : Math.max(0, at.getTime() - this.#database.clock.now().getTime()),
    };
  }
}

/** The rows, as if there were one endpoint. */
function storeOfOne(store: ShardStore, id: string): ShardStore {
  const isIt = (endpointId: string): boolean => endpointId === id;
  return {
    ...store,
    async shards(shards) {
      const { endpointIds, cursor } = await store.shards(shards);
      return { endpointIds: endpointIds.filter(isIt), cursor };
    },
    async tail(asked) {
      const { deliveries, touched, behind, ...rest } = await store.tail(asked);
      const ofIt = deliveries.filter(({ endpointId }) => isIt(endpointId));
      return { deliveries: ofIt, touched: touched.filter(isIt), behind: behind.filter(isIt), ...rest };
    },
  };
}
