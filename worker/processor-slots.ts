import type { CustomSlotSupplier, SlotPermit, WorkflowSlotInfo } from '@temporalio/worker';
import { heardBy } from '../domain/waiting.ts';

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
/** The ends that count, beside the work in progress. */
const RECENT_ENDS = 16;
const RECENT_FOR_MS = 10_000;

/** A local activity in progress. */
interface Piece {
  since: number;
  waitedMs: number;
  waits: number;
  waitsSince: number;
}

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
  /** The permits of tasks, and those with which the worker asks for a task. */
  #used = 0;
  #asking = 0;
  readonly #inUse = new WeakSet<SlotPermit>();
  readonly #queue = new Set<() => void>();
  readonly #pieces = new Set<Piece>();
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

  reserveSlot(_context: unknown, signal: AbortSignal): Promise<SlotPermit> {
    const { promise, resolve, reject } = Promise.withResolvers<SlotPermit>();
    const give = (): void => {
      signal.removeEventListener('abort', leave);
      this.#asking += 1;
      resolve({});
    };
    const leave = (): void => {
      this.#queue.delete(give);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#queue.add(give);
    this.#serve();
    return promise;
  }

  /** For a task that comes back with its start: what only asks for tasks does not stand in its way. */
  tryReserveSlot(): SlotPermit | null {
    if (this.#used >= this.#room) return null;
    this.#asking += 1;
    return {};
  }

  markSlotUsed({ permit }: { permit: SlotPermit }): void {
    if (this.#inUse.has(permit)) return;
    this.#inUse.add(permit);
    this.#asking -= 1;
    this.#used += 1;
  }

  releaseSlot({ permit }: { permit: SlotPermit }): void {
    if (this.#inUse.has(permit)) this.#used -= 1;
    else this.#asking -= 1;
    this.#serve();
  }

  /** Runs a local activity of one of these tasks. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const piece: Piece = { since: this.#now(), waitedMs: 0, waits: 0, waitsSince: 0 };
    this.#pieces.add(piece);
    try {
      return await heardBy({ waits: () => this.#waits(piece), goesOn: () => this.#goesOn(piece) }, work);
    } finally {
      if (this.#pieces.delete(piece) && piece.waits > 0) this.#waiting -= 1;
      this.#ended(piece);
    }
  }

  /** A task that waits needs no processor, so another may work meanwhile. */
  get #room(): number {
    return Math.min(this.#bounds.most, this.#limit + this.#waiting);
  }

  #waits(piece: Piece): void {
    piece.waits += 1;
    if (piece.waits > 1 || !this.#pieces.has(piece)) return;
    piece.waitsSince = this.#now();
    this.#waiting += 1;
    this.#serve();
  }

  #goesOn(piece: Piece): void {
    piece.waits -= 1;
    if (piece.waits > 0 || !this.#pieces.has(piece)) return;
    piece.waitedMs += this.#now() - piece.waitsSince;
    this.#waiting -= 1;
  }

  #serve(): void {
    for (const give of this.#queue) {
      if (this.#used + this.#asking >= this.#room) return;
      this.#queue.delete(give);
      give();
    }
  }

  #ended(piece: Piece): void {
    const now = this.#now();
    this.#ends = [...this.#ends.slice(1 - RECENT_ENDS), { at: now, ms: workedMs(piece, now) }];
    const ms = this.#usualMs(now);
    if (ms > SLOW_MS && now - this.#madeFewerAt > FEWER_EVERY_MS) {
      this.#madeFewerAt = now;
      const working = Math.min(this.#limit, Math.max(this.#used - this.#waiting, 0));
      this.#limit = Math.max(this.#bounds.fewest, Math.floor(working * FEWER));
    } else if (ms < QUICK_MS && this.#queue.size > 0) {
      this.#limit = Math.min(this.#bounds.most, this.#limit + 1);
      this.#serve();
    }
  }

  /** The median, so that a few that wait for a lock do not count. */
  #usualMs(now: number): number {
    const working = [...this.#pieces].filter(({ waits }) => waits === 0).map((piece) => workedMs(piece, now));
    const ended = this.#ends.filter(({ at }) => now - at < RECENT_FOR_MS).map(({ ms }) => ms);
    const all = [...working, ...ended].toSorted((a, b) => a - b);
    return all[Math.floor(all.length / 2)] ?? 0;
  }
}

function workedMs({ since, waitedMs, waits, waitsSince }: Piece, now: number): number {
  return now - since - waitedMs - (waits > 0 ? now - waitsSince : 0);
}
