import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import { HostCredits } from '../../../domain/webhooks/host-credit.ts';
import { Ended } from '../../../domain/webhooks/shards/ended.ts';
import type { AttemptSlots } from '../attempt-slots.ts';
import { EndpointRun } from './endpoint-run.ts';
import { Loader } from './loader.ts';
import { Pager } from './pager.ts';
import { Posts } from './posts.ts';
import type { PostMeans } from './posts.ts';
import { Pump } from './pump.ts';
import { Runs } from './runs.ts';

export interface DelivererMeans extends PostMeans {
  slots: AttemptSlots;
}

/** Chooses which deliveries of this worker's shards are posted next. */
export class Deliverer {
  readonly #means: DelivererMeans;
  readonly #runs: Runs;
  readonly #pump: Pump;
  readonly #posts: Posts;
  readonly #loader: Loader;
  readonly #pager: Pager;

  constructor(means: DelivererMeans) {
    const { store, database, slots, leases, failed } = means;
    const nowMs = (): number => database.clock.now().getTime();
    this.#means = means;
    const run = { database, slots, credits: new HostCredits(), ended: new Ended() };
    this.#runs = new Runs((id, shard, window) => new EndpointRun(run, { id, shard, window }));
    this.#pump = new Pump({
      leases,
      runs: this.#runs,
      nowMs,
      post: (next, taken) => void this.#posts.post(next, taken),
      ask: (rested) => this.#loader.ask(rested),
      page: (behind) => this.#pager.want(behind),
    });
    this.#loader = new Loader({
      store,
      learned: (learned, isThere) => (isThere ? this.#pump.begin(learned) : this.#forget(learned)),
      failed: (error) => failed(error, 'endpoints could not be read; they are read again'),
    });
    this.#pager = new Pager({
      store,
      nowMs,
      read: this.#pump.begin,
      failed: (error) => failed(error, 'pending deliveries could not be read; they are read again'),
    });
    const parts = { runs: this.#runs, pump: this.#pump, loader: this.#loader };
    this.#posts = new Posts({ means, nowMs, ...parts, reload: ({ id }) => this.load([id]) });
  }

  /** True while nothing is under way, nor could be begun now. */
  get isIdle(): boolean {
    return this.#means.slots.inUse === 0 && this.#posts.isIdle && this.#loader.isIdle && this.#pager.isIdle;
  }

  /** When the statement that writes outcomes was sent, by `performance.now()`; null when there is none. */
  get writingSinceMs(): number | null {
    return this.#posts.writingSinceMs;
  }

  /** Counts the deliveries in memory. */
  get inMemory(): number {
    return this.#runs.inMemory;
  }

  /** Reads all that is pending for these endpoints, which may be known already. */
  load(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      const run = this.#runs.of(id);
      run.queue.reset();
      this.#loader.want(run);
    }
  }

  /**
   * Somebody has decided about these endpoints, or their health has changed. Their rows say whether also their
   * deliveries must be read again. Unknown endpoints are read when they have pending deliveries.
   */
  touch(endpointIds: readonly string[]): void {
    for (const id of endpointIds) {
      const run = this.#runs.find(id);
      if (run) this.#loader.want(run);
    }
  }

  /** Takes in deliveries that have become pending, or due. */
  put(deliveries: readonly NewDelivery[]): void {
    const nowMs = this.#means.database.clock.now().getTime();
    const changed = new Set<EndpointRun>();
    for (const delivery of deliveries) {
      const run = this.#runs.of(delivery.endpointId);
      if (run.isResting) continue;
      run.queue.put(delivery, nowMs);
      if (run.queue.waitsForRecord(delivery)) this.#posts.hurry();
      changed.add(run);
    }
    for (const run of changed) {
      if (run.endpoint === null) this.#loader.ask(run);
      else this.#pump.begin(run);
    }
  }

  /** Keeps bodies of events whose deliveries will be put in; they were asked for at this time. */
  keepBodies(bodies: ReadonlyMap<string, string>, readAt: Date): void {
    this.#posts.keepBodies(bodies, readAt);
  }

  /** The shards with endpoints of which some deliveries that wait for a retry are not in memory. */
  sieved(): number[] {
    return [...new Set(this.#runs.all().flatMap(({ queue, shard }) => (queue.isSieved ? [shard] : [])))];
  }

  /** Begins what could not be begun while the lease was not sure. */
  goOn(): void {
    this.#pump.beginUnsure();
  }

  pumpAll(): void {
    this.#pump.beginAll();
  }

  /** Begins nothing more in these shards. */
  close(shards: Iterable<number>): void {
    for (const shard of shards) this.#runs.close(shard);
    if (this.closing.size > 0) this.#posts.hurry();
  }

  /** Begins again in shards that are kept after all. */
  reopen(shards: Iterable<number>): void {
    for (const shard of shards) {
      if (this.#runs.reopen(shard)) for (const run of this.#runs.ofShard(shard)) this.#pump.begin(run);
    }
  }

  get closing(): ReadonlySet<number> {
    return this.#runs.closing;
  }

  closed(): number[] {
    return this.#runs.closed();
  }

  /** Forgets shards that this worker has no more. */
  forget(shards: readonly number[]): void {
    this.#posts.forget(new Set(shards));
    for (const shard of shards) {
      this.#runs.reopen(shard);
      for (const run of this.#runs.ofShard(shard)) this.#forget(run);
    }
  }

  /** Shares the memory anew among the endpoints that have something pending. */
  share(): void {
    this.#runs.share();
  }

  stop(): void {
    this.#pump.stop();
  }

  #forget(run: EndpointRun): void {
    run.end();
    void run.news.tell();
    this.#pump.forget(run);
    this.#runs.delete(run);
  }
}
