import type { Database } from '../../../db/engine/database.ts';
import type { ShardLease } from '../../../db/webhooks/shards/leases.ts';
import { ownerOf, sharesOf } from '../../../domain/webhooks/shards/rendezvous.ts';
import type { ShardStore } from './store.ts';

/** The shards of a worker that makes no progress are free after this. */
export const LEASE_MS = 3_500;
/**
 * The shards of a worker whose process is gone are free after this. A process whose connection is lost cannot be told
 * from one that is gone, and need not have heard of the loss itself, so no worker counts on more than that.
 */
export const GONE_MS = 1_500;
/** The lease counts as unsure from this long before that, and nothing is posted under it. */
export const MARGIN_MS = 300;

/** A lease is renewed this often, so that it stays sure although one renewal takes long. */
export const KEEP_EVERY_MS = 700;
/** A renewal that took long is followed by the next one after this. */
const REST_MS = 100;

const NEVER = { nowMs: -Infinity, wallMs: -Infinity };

/** The shards that a look at the rows has given this worker, or taken from it. */
export interface Moved {
  gained: number[];
  lost: number[];
}

/** The process that a worker runs in. */
export interface LeasingProcess {
  /** Its number, whose advisory lock it holds while it is connected. */
  number: string;
  /** A clock that nobody sets, and that may stand still while the machine sleeps. */
  nowMs: () => number;
  /** A clock that goes on while the machine sleeps, and that somebody may set. */
  wallMs: () => number;
}

export function leasingProcess({ wakeups }: Pick<Database, 'wakeups'>): LeasingProcess {
  return {
    number: wakeups.owner,
    nowMs: () => performance.now(),
    wallMs: () => Date.now(),
  };
}

/** The shards of this worker, as it knows them. */
export class Leases {
  readonly workerId: string;
  readonly #store: Pick<ShardStore, 'keep' | 'leave'>;
  readonly #process: LeasingProcess;
  readonly #tokens = new Map<number, string>();
  /** The live workers, as the last look found them; null before the first. */
  #workers: readonly string[] | null = null;
  /** The shards that should be this worker's. */
  #share: readonly number[] = [];
  #renewedAt = NEVER;
  #takesMore = true;

  constructor(store: Pick<ShardStore, 'keep' | 'leave'>, workerId: string, process: LeasingProcess) {
    this.#store = store;
    this.workerId = workerId;
    this.#process = process;
  }

  /** True while no other worker can have taken a shard of this one, nor will within a moment. */
  get isSure(): boolean {
    return this.#ageMs < GONE_MS - MARGIN_MS;
  }

  /**
   * After how long the lease is to be renewed again. It counts from the last renewal and not from its answer: a server
   * or a process that is slow must not be sure of its lease for a part of the time only.
   */
  get renewsInMs(): number {
    return Math.max(REST_MS, KEEP_EVERY_MS - this.#ageMs);
  }

  get held(): number[] {
    return [...this.#tokens.keys()];
  }

  holds(shard: number): boolean {
    return this.#tokens.has(shard);
  }

  tokenOf(shard: number): string | undefined {
    return this.#tokens.get(shard);
  }

  /** The leases of these shards, as far as they are held. */
  of(shards: Iterable<number>): ShardLease[] {
    return [...shards].flatMap((shard) => {
      const token = this.#tokens.get(shard);
      return token === undefined ? [] : [{ shard, token }];
    });
  }

  /** The shards that are held and should be another live worker's. */
  get foreign(): number[] {
    const workers = this.#workers ?? [];
    return this.held.filter((shard) => ownerOf(shard, workers) !== this.workerId);
  }

  /**
   * Renews the lease, gives back shards, and takes those that are free and should be this worker's. The first look only
   * makes this worker known, because it does not know the others.
   */
  async keep(givesBack: readonly number[]): Promise<Moved> {
    let sentAt = this.#now();
    const asked = {
      workerId: this.workerId,
      process: this.#process.number,
      wants: this.#takesMore ? this.#share.filter((shard) => !this.#tokens.has(shard)) : [],
      givesBack,
      leaseMs: LEASE_MS,
    };
    const { held, workers } = await this.#store.keep(asked, () => (sentAt = this.#now()));
    const isFirst = this.#workers === null;
    if (this.#workers?.join() !== workers.join()) this.#share = sharesOf(this.workerId, workers);
    this.#workers = workers;
    const moved = this.#learn(held);
    // The database counts the lease from a later time than this, so by our count it ends before it ends there.
    this.#renewedAt = sentAt;
    return isFirst ? this.keep(givesBack) : moved;
  }

  /** Takes no more shards from now on, because this worker ends. */
  takeNoMore(): void {
    this.#takesMore = false;
  }

  /** Gives back all shards. Later writes under them are refused. */
  async leave(): Promise<void> {
    this.#renewedAt = NEVER;
    this.#tokens.clear();
    await this.#store.leave(this.workerId);
  }

  get #ageMs(): number {
    const { nowMs, wallMs } = this.#now();
    // Whichever clock says more counts, because each may say too little.
    return Math.max(nowMs - this.#renewedAt.nowMs, wallMs - this.#renewedAt.wallMs);
  }

  #now(): typeof NEVER {
    return { nowMs: this.#process.nowMs(), wallMs: this.#process.wallMs() };
  }

  #learn(held: readonly ShardLease[]): Moved {
    const now = new Map(held.map(({ shard, token }) => [shard, token]));
    // A shard that was lost and taken again meanwhile has another token, and what is in memory of it is outdated.
    const lost = this.held.filter((shard) => now.get(shard) !== this.#tokens.get(shard));
    for (const shard of lost) this.#tokens.delete(shard);
    const gained = [...now.keys()].filter((shard) => !this.#tokens.has(shard));
    for (const [shard, token] of now) this.#tokens.set(shard, token);
    return { gained, lost };
  }
}
