import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import { shardOf } from '../../../db/webhooks/shards/shard-of.ts';
import type { Deliverer } from './deliverer.ts';
import type { Leases } from './leases.ts';
import type { ShardStore } from './store.ts';

const MAX_NEW = 2_000;
const MAX_DUE = 1_000;
/** Retries that have left memory are looked for this often, because that is a look at every endpoint. */
const DUE_EVERY_MS = 100;
/** With more new deliveries than this, bodies are read in statements of their own, beside this one. */
const MAX_WITH_BODIES = 100;

export interface TailOf {
  store: Pick<ShardStore, 'tail' | 'shards' | 'due'>;
  now: () => Date;
  leases: Leases;
  deliverer: Deliverer;
}

/** Reads what is new in the shards of this worker, all of them in one statement, each from where it was. */
export class Tail {
  readonly #of: TailOf;
  readonly #cursors = new Map<number, { cursor: string; token: string | undefined }>();

  /** The most deliveries of a read with bodies. After a failure it is 0, because a body may be the cause. */
  #withBodies = MAX_WITH_BODIES;

  /** Retries that were due until then have been put into their queues. */
  #dueUntil: Date;

  constructor(of: TailOf) {
    this.#of = of;
    this.#dueUntil = of.now();
  }

  /** Forgets shards that this worker has no more. */
  forget(shards: readonly number[]): void {
    for (const shard of shards) this.#cursors.delete(shard);
  }

  /** Reads once. Shards that are new to this worker are read whole. */
  async turn(): Promise<void> {
    await this.#readNewShards();
    await this.#readNewDeliveries();
    await this.#readDue();
  }

  async #readNewShards(): Promise<void> {
    const { leases, store } = this.#of;
    const shards = leases.held.filter((shard) => !this.#cursors.has(shard));
    if (shards.length === 0) return;
    const tokens = new Map(shards.map((shard) => [shard, leases.tokenOf(shard)]));
    const { endpointIds, cursor } = await store.shards(shards);
    const kept = shards.filter((shard) => leases.tokenOf(shard) === tokens.get(shard));
    for (const shard of kept) this.#cursors.set(shard, { cursor, token: tokens.get(shard) });
    this.#load(endpointIds);
  }

  /** Reads retries that have come due and had left memory, because too many wait at an endpoint. */
  async #readDue(): Promise<void> {
    const { store, deliverer, now } = this.#of;
    const [after, until] = [this.#dueUntil, now()];
    if (until.getTime() - after.getTime() < DUE_EVERY_MS) return;
    const shards = deliverer.sieved();
    const due = shards.length === 0 ? [] : await store.due({ shards, after, until, limit: MAX_DUE });
    this.#dueUntil = due.length < MAX_DUE ? until : (due.at(-1)?.nextAttemptAt ?? until);
    this.#put(due);
  }

  async #readNewDeliveries(): Promise<void> {
    const { leases, store, deliverer, now } = this.#of;
    const asked = [...this.#cursors];
    if (asked.length === 0) return;
    const groups = Map.groupBy(asked, ([, { cursor }]) => cursor);
    const from = [...groups].map(([cursor, shards]) => ({ cursor, shards: shards.map(([shard]) => shard) }));
    const bodiesOf = this.#withBodies;
    const readAt = now();
    this.#withBodies = 0;
    const { deliveries, touched, behind, bodies, cursor } = await store.tail({
      from,
      limit: MAX_NEW,
      bodies: bodiesOf,
    });
    this.#withBodies = MAX_WITH_BODIES;
    for (const [shard, { token }] of asked) {
      // A shard that was lost meanwhile and taken again is read from the cursor of its own.
      if (leases.tokenOf(shard) === token) this.#cursors.set(shard, { cursor, token });
    }
    deliverer.touch(touched);
    this.#load(behind);
    deliverer.keepBodies(bodies, readAt);
    this.#put(deliveries);
  }

  // A shard may have been lost while it was read. Another worker posts what is pending there.

  #load(endpointIds: readonly string[]): void {
    this.#of.deliverer.load(endpointIds.filter((id) => this.#of.leases.holds(shardOf(id))));
  }

  #put(deliveries: readonly NewDelivery[]): void {
    this.#of.deliverer.put(deliveries.filter(({ shard }) => this.#of.leases.holds(shard)));
  }
}
