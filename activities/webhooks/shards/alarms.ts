import { Heap } from '../../../domain/webhooks/shards/heap.ts';

/** A timer of Node cannot wait for longer, and a clock that is set must not be trusted for longer. */
const MAX_WAIT_MS = 30_000;

interface Alarm<T> {
  of: T;
  atMs: number;
}

/** Calls back for each of many at its time, with one timer for all. The latest time that is set for one counts. */
export class Alarms<T> {
  readonly #nowMs: () => number;
  readonly #ring: (of: T) => void;
  readonly #atMs = new Map<T, number>();
  readonly #next = new Heap<Alarm<T>>((one, other) => one.atMs < other.atMs);
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Infinity;

  constructor(nowMs: () => number, ring: (of: T) => void) {
    this.#nowMs = nowMs;
    this.#ring = ring;
  }

  set(of: T, atMs: number): void {
    if (this.#atMs.get(of) === atMs) return;
    this.#atMs.set(of, atMs);
    this.#next.push({ of, atMs });
    this.#arm();
  }

  clear(of: T): void {
    this.#atMs.delete(of);
  }

  /** Rings for all whose time has come. */
  ringDue(): void {
    for (let next = this.#least(); next && next.atMs <= this.#nowMs(); next = this.#least()) {
      this.#next.pop();
      this.#atMs.delete(next.of);
      this.#ring(next.of);
    }
    this.#arm();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#atMs.clear();
    this.#next.clear();
  }

  #least(): Alarm<T> | undefined {
    for (;;) {
      const least = this.#next.least;
      if (!least || this.#atMs.get(least.of) === least.atMs) return least;
      this.#next.pop();
    }
  }

  #arm(): void {
    const atMs = this.#least()?.atMs ?? Infinity;
    if (atMs === this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    if (atMs === Infinity) return;
    const waitMs = Math.min(MAX_WAIT_MS, Math.max(1, atMs - this.#nowMs()));
    this.#timer = setTimeout(() => {
      this.#timerAtMs = Infinity;
      this.ringDue();
    }, waitMs);
    this.#timer.unref();
  }
}
