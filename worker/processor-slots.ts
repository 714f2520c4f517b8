import { AsyncLocalStorage } from 'node:async_hooks';
import type { CustomSlotSupplier, SlotPermit, WorkflowSlotInfo } from '@temporalio/worker';
import { findWaiterBy } from '../domain/waiting.ts';
import type { Waiter } from '../domain/waiting.ts';

export interface Bounds {
  fewest: number;
  /** Where a worker begins. */
  first: number;
  most: number;
}

/** Work that takes longer, without what it waits for, makes the slots fewer. */
const SLOW_MS = 1_000;
/** Work that takes less makes them more. */
const QUICK_MS = 400;
const FEWER = 0.7;
const FEWER_EVERY_MS = 1_000;
/** Fewer say nothing: one alone may wait for a lock. */
const FEWEST_KNOWN = 3;
/** The ends that count, beside the work in progress. */
const RECENT_ENDS = 16;
const RECENT_FOR_MS = 10_000;

const waiters = new AsyncLocalStorage<Waiter>();
findWaiterBy(() => waiters.getStore());

/** A workflow task with the local activities that it runs now. */
interface Task {
  pieces: number;
  waiting: number;
}

/** A local activity in progress, or a part of one that goes on beside others. */
interface Piece {
  task: Task;
  since: number;
  waitedMs: number;
  waits: number;
  waitsSince: number;
}

/** Who asks for a slot: one of the two queues of a worker, or a task that comes back with its start. */
type Asker = 'sticky' | 'normal' | 'eager';

/**
 * The workflow tasks that a worker takes at once, as many as end in time. Too many at once on a busy machine all miss
 * their timeouts, and begin again for ever. No measure of the processor shows that everywhere, because not every quota
 * can be seen from inside. So the number follows how long local activities take, which hold their workflow's task: above
 * a second fewer tasks are taken, below 0.4 s more. A task that waits for a backend gives its place to another.
 */
export class ProcessorSlots implements CustomSlotSupplier<WorkflowSlotInfo> {
  readonly type = 'custom';
  readonly #bounds: Bounds;
  readonly #now: () => number;
  #limit: number;
  #used = 0;
  /**
   * The permits with which the worker asks for a task. A poll of an empty queue keeps its permit for a minute, so it
   * takes none from the other queue.
   */
  readonly #asking: Record<Asker, number> = { sticky: 0, normal: 0, eager: 0 };
  readonly #askers = new WeakMap<SlotPermit, Asker>();
  readonly #queue = new Map<() => void, Asker>();
  readonly #pieces = new Set<Piece>();
  /** The tasks whose local activities all wait. */
  #waiting = 0;
  #ends: { at: number; ms: number }[] = [];
  #madeFewerAt = -Infinity;

  constructor(bounds: Bounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds;
    this.#now = now;
    this.#limit = bounds.first;
  }

  /** The tasks that may work at once. */
  get limit(): number {
    return this.#limit;
  }

  reserveSlot({ isSticky }: { isSticky: boolean }, signal: AbortSignal): Promise<SlotPermit> {
    const { promise, resolve, reject } = Promise.withResolvers<SlotPermit>();
    const asker = isSticky ? 'sticky' : 'normal';
    const give = (): void => {
      signal.removeEventListener('abort', leave);
      resolve(this.#permit(asker));
    };
    const leave = (): void => {
      this.#queue.delete(give);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#queue.set(give, asker);
    this.#serve();
    return promise;
  }

  /** For a task that comes back with its start: what only asks for tasks does not stand in its way. */
  tryReserveSlot(): SlotPermit | null {
    return this.#used + this.#asking.eager < this.#room ? this.#permit('eager') : null;
  }

  markSlotUsed({ permit }: { permit: SlotPermit }): void {
    const asker = this.#askers.get(permit);
    if (asker === undefined) return;
    this.#askers.delete(permit);
    this.#asking[asker] -= 1;
    this.#used += 1;
  }

  releaseSlot({ permit }: { permit: SlotPermit }): void {
    const asker = this.#askers.get(permit);
    if (asker === undefined) this.#used -= 1;
    else this.#asking[asker] -= 1;
    this.#askers.delete(permit);
    this.#serve();
  }

  /** Runs a local activity of one of these tasks. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(work, { pieces: 0, waiting: 0 });
  }

  async #run<T>(work: () => Promise<T>, task: Task, parent?: Piece): Promise<T> {
    const piece: Piece = { task, since: this.#now(), waitedMs: 0, waits: 0, waitsSince: 0 };
    this.#pieces.add(piece);
    this.#change(task, { pieces: 1 });
    // A piece waits for its parts, which work in its stead.
    if (parent) this.#waits(parent);
    const waiter: Waiter = {
      waits: () => this.#waits(piece),
      goesOn: () => this.#goesOn(piece),
      branch: (part) => this.#run(part, task, piece),
    };
    try {
      return await waiters.run(waiter, work);
    } finally {
      if (parent) this.#goesOn(parent);
      this.#pieces.delete(piece);
      this.#change(task, { pieces: -1, waiting: piece.waits > 0 ? -1 : 0 });
      this.#ended(piece);
    }
  }

  #permit(asker: Asker): SlotPermit {
    const permit = {};
    this.#asking[asker] += 1;
    this.#askers.set(permit, asker);
    return permit;
  }

  /** A task that waits needs no processor, so another may work meanwhile. */
  get #room(): number {
    return Math.min(this.#bounds.most, this.#limit + Math.min(this.#waiting, this.#used));
  }

  #change(task: Task, by: { pieces?: number; waiting?: number }): void {
    if (waitsAll(task)) this.#waiting -= 1;
    task.pieces += by.pieces ?? 0;
    task.waiting += by.waiting ?? 0;
    if (!waitsAll(task)) return;
    this.#waiting += 1;
    this.#serve();
  }

  #waits(piece: Piece): void {
    piece.waits += 1;
    if (piece.waits > 1 || !this.#pieces.has(piece)) return;
    piece.waitsSince = this.#now();
    this.#change(piece.task, { waiting: 1 });
  }

  #goesOn(piece: Piece): void {
    piece.waits -= 1;
    if (piece.waits > 0 || !this.#pieces.has(piece)) return;
    piece.waitedMs += this.#now() - piece.waitsSince;
    this.#change(piece.task, { waiting: -1 });
  }

  #serve(): void {
    for (const [give, asker] of this.#queue) {
      if (this.#used + this.#asking[asker] >= this.#room) continue;
      this.#queue.delete(give);
      give();
    }
  }

  #ended(piece: Piece): void {
    const now = this.#now();
    this.#ends = [...this.#ends.slice(1 - RECENT_ENDS), { at: now, ms: workedMs(piece, now) }];
    const known = this.#known(now);
    // The median, so that a few that wait for a lock do not count.
    const ms = known[Math.floor(known.length / 2)] ?? 0;
    if (ms > SLOW_MS && known.length >= FEWEST_KNOWN && now - this.#madeFewerAt > FEWER_EVERY_MS) {
      this.#madeFewerAt = now;
      const working = Math.min(this.#limit, Math.max(this.#used - this.#waiting, 0));
      this.#limit = Math.max(this.#bounds.fewest, Math.floor(working * FEWER));
    } else if (ms < QUICK_MS && this.#queue.size > 0) {
      this.#limit = Math.min(this.#bounds.most, this.#limit + 1);
      this.#serve();
    }
  }

  /** How long what works now and what has ended just now has worked, in order. */
  #known(now: number): number[] {
    const working = [...this.#pieces].filter(({ waits }) => waits === 0).map((piece) => workedMs(piece, now));
    const ended = this.#ends.filter(({ at }) => now - at < RECENT_FOR_MS).map(({ ms }) => ms);
    return [...working, ...ended].toSorted((a, b) => a - b);
  }
}

function waitsAll({ pieces, waiting }: Task): boolean {
  return pieces > 0 && waiting === pieces;
}

function workedMs({ since, waitedMs, waits, waitsSince }: Piece, now: number): number {
  return now - since - waitedMs - (waits > 0 ? now - waitsSince : 0);
}
