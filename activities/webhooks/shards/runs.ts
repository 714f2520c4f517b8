import { shardOf } from '../../../db/webhooks/shards/shard-of.ts';
import type { EndpointRun } from './endpoint-run.ts';

/** The most deliveries in memory, shared by the endpoints that have some. */
const MAX_IN_MEMORY = 100_000;
const WINDOW = { least: 50, most: 1_000 };
/** The most endpoints in memory without pending deliveries. */
const MAX_EMPTY = 10_000;

/** The endpoints in memory, by their shards. */
export class Runs {
  readonly #make: (id: string, shard: number, window: number) => EndpointRun;
  readonly #all = new Map<string, EndpointRun>();
  readonly #byShard = new Map<number, Set<EndpointRun>>();
  #window = WINDOW.most;
  /** At this many endpoints those are forgotten for which nothing is pending. */
  #forgetAt = MAX_EMPTY;

  constructor(make: (id: string, shard: number, window: number) => EndpointRun) {
    this.#make = make;
  }

  get inMemory(): number {
    let count = 0;
    for (const { queue } of this.#all.values()) count += queue.size;
    return count;
  }

  all(): EndpointRun[] {
    return [...this.#all.values()];
  }

  find(id: string): EndpointRun | undefined {
    return this.#all.get(id);
  }

  ofShard(shard: number): EndpointRun[] {
    return [...(this.#byShard.get(shard) ?? [])];
  }

  /** The endpoint in memory, which is put there if it is not. */
  of(id: string): EndpointRun {
    const known = this.#all.get(id);
    if (known) return known;
    if (this.#all.size >= this.#forgetAt) this.#forgetEmpty();
    const shard = shardOf(id);
    const run = this.#make(id, shard, this.#window);
    this.#all.set(id, run);
    const ofShard = this.#byShard.get(shard) ?? new Set();
    this.#byShard.set(shard, ofShard.add(run));
    return run;
  }

  delete(run: EndpointRun): void {
    this.#all.delete(run.id);
    this.#byShard.get(run.shard)?.delete(run);
  }

  /** Shares the memory among the endpoints that have something in it. */
  share(): void {
    let used = 0;
    for (const run of this.#all.values()) if (!run.isEmpty) used += 1;
    const each = Math.floor(MAX_IN_MEMORY / Math.max(used, 1));
    this.#window = Math.min(WINDOW.most, Math.max(WINDOW.least, each));
    for (const { queue } of this.#all.values()) queue.window = this.#window;
  }

  #forgetEmpty(): void {
    for (const run of this.#all.values()) {
      if (this.#all.size < MAX_EMPTY / 2) break;
      if (run.isEmpty && run.isKnown && !run.isResting) {
        run.end();
        this.delete(run);
      }
    }
    this.#forgetAt = Math.max(MAX_EMPTY, this.#all.size + MAX_EMPTY / 10);
  }
}
