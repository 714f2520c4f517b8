import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../db/engine/database.ts';
import type { Log } from '../../../domain/log.ts';
import { Loop, pauseFor } from '../../../domain/loop.ts';
import { shardOf } from '../../../db/webhooks/shards/shard-of.ts';
import type { AgencyShares } from '../../../domain/shares.ts';
import type { Egress } from '../../../adapters/egress/egress.ts';
import { createAttemptSlots, MAX_ATTEMPTS } from '../attempt-slots.ts';
import { Deliverer } from './deliverer.ts';
import { KEEP_EVERY_MS, Leases, leasingProcess } from './leases.ts';
import { createShardStore } from './store.ts';
import { Tail } from './tail.ts';

/** The shortest time between two readings. */
const READ_EVERY_MS = 3;
/** The poll makes up for hints that were lost. At rest it comes less often, so that many processes cost little. */
const POLL_MS = 1_000;
const REST_POLL_MS = 2_500;
const REST_AFTER_MS = 10_000;
const AFTER_FAILURE_MS = 500;
/** An owner whose readings or writings make no progress for this long does not renew its lease. */
const STUCK_MS = 10_000;
/** A stop waits this long for attempts under way, as for a worker's activities. */
const GRACE_MS = 8_000;
const LOOK_EVERY_MS = 20;

export interface ShardOwnerMeans {
  database: Pick<Database, 'clock' | 'secrets' | 'transaction' | 'read' | 'statement' | 'wakeups'>;
  egress: Pick<Egress, 'post'>;
  /** Equal shares when left out. */
  shares?: AgencyShares;
  /** Only tests set this, because they would not wait. */
  stuckAfterMs?: number;
}

/**
 * Delivers the events of this worker's share of all shards. A hint begins a reading at once; the rows are the promise,
 * and the poll finds what nobody has hinted at.
 */
export class ShardOwner {
  readonly #log: Pick<Log, 'warn'>;
  readonly #stuckAfterMs: number;
  readonly #leases: Leases;
  readonly #deliverer: Deliverer;
  readonly #tail: Tail;
  /** Reads what is new, at each hint and again and again. */
  readonly #reads: Loop;
  /** Renews the lease as long as the other loop and the writer make progress. */
  readonly #keeps: Loop;
  readonly #offs: (() => void)[];
  #hintedAtMs = -Infinity;
  #readingSinceMs: number | null = null;
  #stopping: Promise<void> | null = null;

  constructor(means: ShardOwnerMeans, log: Pick<Log, 'warn'>) {
    const { database, egress, shares, stuckAfterMs = STUCK_MS } = means;
    this.#stuckAfterMs = stuckAfterMs;
    const store = createShardStore(database);
    this.#log = log;
    this.#leases = new Leases(store, randomUUID(), leasingProcess(database));
    const slots = createAttemptSlots(MAX_ATTEMPTS, shares);
    this.#deliverer = new Deliverer({ database, egress, store, leases: this.#leases, slots, failed: this.#failed });
    this.#tail = new Tail({
      store,
      leases: this.#leases,
      deliverer: this.#deliverer,
      now: () => database.clock.now(),
    });
    const failed = (error: unknown): void => this.#failed(error, 'a round of the shards failed; it is repeated');
    this.#reads = new Loop({ round: (stop) => this.#read(stop), failed, afterFailureMs: AFTER_FAILURE_MS });
    this.#keeps = new Loop({ round: () => this.#renew(), failed, afterFailureMs: KEEP_EVERY_MS });
    this.#offs = [
      database.wakeups.on('delivery', (key) => this.#hint(shardOfHint(key))),
      // Nobody else reads a shard that this process has.
      database.wakeups.keep('delivery', (key) => this.#leases.holds(shardOfHint(key))),
      database.wakeups.on('endpoint', (endpointId) => this.#hint(shardOf(endpointId))),
      database.wakeups.on('shards', () => this.#keeps.ring()),
    ];
  }

  start(): this {
    this.#keeps.start();
    this.#reads.start();
    return this;
  }

  /** Begins nothing more, waits until attempts under way are recorded, but no longer than the grace, and gives all back. */
  stop(): Promise<void> {
    this.#stopping ??= this.#handOver();
    return this.#stopping;
  }

  async #handOver(): Promise<void> {
    this.#leases.takeNoMore();
    this.#deliverer.close(this.#leases.held);
    const until = performance.now() + GRACE_MS;
    const isDone = (): boolean => this.#deliverer.closed().length === this.#deliverer.closing.size;
    while (!isDone() && performance.now() < until) await pause(LOOK_EVERY_MS);
    this.abandon();
    await Promise.all([this.#keeps.stop(), this.#reads.stop()]);
    await this.#leases.leave().catch((error: unknown) => this.#failed(error, 'shards could not be given back'));
  }

  /** Ends without the database. Another worker has the shards when the lease is over. */
  abandon(): void {
    for (const off of this.#offs) off();
    this.#deliverer.stop();
    void this.#keeps.stop();
    void this.#reads.stop();
  }

  #hint(shard: number): void {
    if (!this.#leases.holds(shard)) return;
    this.#hintedAtMs = performance.now();
    this.#reads.ring();
  }

  readonly #failed = (error: unknown, what: string): void => {
    if (!this.#reads.isStopping) this.#log.warn({ err: error }, what);
  };

  /** Returns the time until the lease is to be renewed again. */
  async #renew(): Promise<number> {
    const isKept = !this.#isStuck() && (await this.#keep());
    // Shards that are to be given back are closed first, which takes as long as an attempt.
    if (this.#deliverer.closing.size > 0) return LOOK_EVERY_MS * 5;
    return isKept ? this.#leases.renewsInMs : KEEP_EVERY_MS;
  }

  /** Answers whether the lease was renewed. */
  async #keep(): Promise<boolean> {
    try {
      // An owner that stops gives back all at its end.
      const closed = this.#stopping ? [] : this.#deliverer.closed();
      const { gained, lost } = await this.#leases.keep(closed);
      this.#tail.forget(lost);
      this.#deliverer.forget(lost);
      if (gained.length > 0) this.#reads.ring();
      this.#turnOver();
      this.#deliverer.goOn();
      this.#deliverer.share();
      return true;
    } catch (error) {
      this.#failed(error, 'the lease of shards could not be renewed; it is tried again');
      return false;
    }
  }

  /** Closes shards that should be another worker's, and reopens those that should not any more. */
  #turnOver(): void {
    if (this.#stopping) return this.#deliverer.close(this.#leases.held);
    const foreign = new Set(this.#leases.foreign);
    this.#deliverer.reopen([...this.#deliverer.closing].filter((shard) => !foreign.has(shard)));
    this.#deliverer.close(foreign);
  }

  /** Returns the time until the next reading that no hint asks for. */
  async #read(stop: AbortSignal): Promise<number> {
    const startedAtMs = performance.now();
    // A reading that fails again and again counts as one that does not end, so another worker gets the shards.
    this.#readingSinceMs ??= startedAtMs;
    try {
      await this.#tail.turn();
      this.#readingSinceMs = null;
    } catch (error) {
      this.#failed(error, 'new deliveries could not be read; they are read again');
      await pauseFor(AFTER_FAILURE_MS, stop);
    }
    // Hints that come within a moment share a reading.
    await pauseFor(startedAtMs + READ_EVERY_MS - performance.now(), stop);
    const isAtRest = performance.now() - this.#hintedAtMs > REST_AFTER_MS && this.#deliverer.inMemory === 0;
    return (isAtRest ? REST_POLL_MS : POLL_MS) * (0.9 + 0.2 * Math.random());
  }

  #isStuck(): boolean {
    const now = performance.now();
    const since = [this.#readingSinceMs, this.#deliverer.writingSinceMs].filter((each) => each !== null);
    return since.some((each) => now - each > this.#stuckAfterMs);
  }
}

/** A hint names a shard; one of a process of a former release names an endpoint. */
function shardOfHint(key: string): number {
  return /^\d{1,3}$/.test(key) ? Number(key) : shardOf(key);
}
