import { shardOf } from '../../../db/webhooks/shards/shard-of.ts';
import type { EndpointRun } from './endpoint-run.ts';

/** This many deliveries are in memory, shared by the endpoints that have some. */
const MAX_IN_MEMORY = 100_000;
const WINDOW = { least: 50, most: 1_000 };
/** This many endpoints are kept in memory although nothing is pending for them. */
const MAX_EMPTY = 10_000;

/** The endpoints in memory, by their shards. */
export class Runs {
  readonly #make: (id: string, shard: number, window: number) => EndpointRun;
  readonly #all = new Map<string, EndpointRun>();
  readonly #byShard = new Map<number, Set<EndpointRun>>();
  /** Shards whose deliveries are not begun any more, because they are to be given back. */
  readonly #closing = new Set<number>();
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

  get closing(): ReadonlySet<number> {
    return this.#closing;
  }

  close(shard: number): void {
    this.#closing.add(shard);
  }

  /** Returns false if the shard was not closing. */
  reopen(shard: number): boolean {
    return this.#closing.delete(shard);
  }

  /** Lists the closing shards in which nothing is under way. */
  closed(): number[] {
    return [...this.#closing].filter((shard) =>
      this.ofShard(shard).every(({ underWay }) => underWay.posting + underWay.unrecorded === 0),
    );
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
