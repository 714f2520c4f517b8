import { randomUUID } from 'node:crypto';
import { claimDispatches } from '../db/dispatch.ts';
import type { Dispatch } from '../db/dispatch.ts';
import type { Database } from '../db/engine/database.ts';
import { Bell } from '../domain/loop.ts';
import { measureLag } from './dispatch-telemetry.ts';
import { SharedPoll } from './shared-poll.ts';

/** Longer than the longest deadline of a call (`loops/dispatch/temporal-reach.ts`). */
const LEASE_MS = 30_000;
/** The poll finds rows that their own process does not hand over, and rows whose pause has ended. */
const POLL_MS = 1_000;

const MAX_BATCH = 50;
/** Fairness holds within a batch only. In a smaller one the work of an agency with a great share takes all places. */
const MIN_BATCH = 20;
const MORE = 8;
/** A batch that takes longer keeps a person's reply waiting, which can only go with the next. */
const SLOW_MS = 1_000;

/** Promises that this process alone may hand over for a time. */
export interface Batch {
  token: string;
  dispatches: readonly Dispatch[];
  /** The look has taken all that it may, so more waits. */
  isFull: boolean;
}

/**
 * Sizes the batches by how soon the last ones ended. A Temporal that is slow gets few calls at once, so that those end;
 * one that is quick gets many.
 */
export class BatchSize {
  #size = MAX_BATCH;

  get size(): number {
    return this.#size;
  }

  ended(tookMs: number): void {
    if (tookMs > SLOW_MS) this.#size = Math.max(MIN_BATCH, Math.floor(this.#size / 2));
    else this.#size = Math.min(MAX_BATCH, this.#size + MORE);
  }
}

/** Leases the promises that are handed over next, after a rest if the last look has left nothing. */
export class BatchLeases {
  readonly #database: Database;
  readonly #poll: SharedPoll;
  readonly #bell = new Bell();
  readonly #batchSize = new BatchSize();
  /** True until a look has found less than a batch, so that the next look need not wait for a ring. */
  #hasMore = true;

  constructor(database: Database) {
    this.#database = database;
    this.#poll = new SharedPoll(database.wakeups, 'dispatch', POLL_MS);
  }

  /** Begins to hear of the looks of others; the returned function ends that. */
  listen(): () => void {
    // A trial during an outage rests, too, and must hear of the first promise.
    const offs = [this.#poll.listen(), this.#database.wakeups.on('dispatch', () => this.ring())];
    return () => offs.forEach((off) => off());
  }

  /** Ends the rest, because there is something to lease or the caller must notice something. */
  ring(): void {
    this.#bell.ring();
  }

  /** Waits until a look may find something, or the caller must notice something else. */
  async rest(mustEnd: () => boolean): Promise<void> {
    const mayRest = !this.#hasMore;
    this.#hasMore = true;
    while (mayRest && !mustEnd()) {
      const restMs = this.#poll.restMs();
      if (restMs === 0 || (await this.#bell.wait(restMs))) return;
    }
  }

  /** Leases a batch; undefined when there is none. */
  async next(isTrial: boolean, sizeOf: (size: number) => number): Promise<Batch | undefined> {
    this.#bell.hush();
    const token = randomUUID();
    const size = isTrial ? 1 : sizeOf(this.#batchSize.size);
    const claim = { token, size, leaseMs: LEASE_MS, isTrial };
    const dispatches = await this.#database.statement((tx) => claimDispatches(tx, claim));
    measureLag(dispatches);
    this.#hasMore = dispatches.length === size;
    // Other processes would look at the same rows, so they wake only when there is more than this one takes at once.
    if (this.#hasMore) this.#database.wakeups.tellOthers('dispatch');
    else this.#poll.looked();
    return dispatches.length === 0 ? undefined : { token, dispatches, isFull: this.#hasMore };
  }

  /** Learns how long a batch took. */
  ended(tookMs: number): void {
    this.#batchSize.ended(tookMs);
  }
}
