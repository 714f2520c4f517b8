/** The database's time in milliseconds since 1970, read between two readings of this process's `performance.now`. */
export interface ClockSample {
  databaseMs: number;
  beforeMs: number;
  afterMs: number;
}

/** If the wall clock and `performance.now` differ by more than this, one of them has stood still or was set. */
const CLOCKS_AGREE_MS = 1_000;

/**
 * The clock that all due times are compared with. It follows the database's clock, so that processes whose own clocks
 * differ agree. Tests move it, so that they need not wait for days. Between two samples it counts with
 * `performance.now`, because a wall clock that is set ahead would end waits and expire messages at once.
 */
export class Clock {
  /** The difference between this clock and `performance.now`. */
  #offsetMs = wallOffsetMs();
  #wallOffsetMs = this.#offsetMs;
  #movedMs = 0;

  now(): Date {
    return new Date(this.outside().getTime() + this.#movedMs);
  }

  /** The time for values that others compare with their own clocks; tests cannot move it. */
  outside(): Date {
    return new Date(performance.now() + this.#offsetMs);
  }

  /**
   * True when the wall clock has been set since the last sample, or the machine has slept: `performance.now` may stand
   * still meanwhile, so only the database can tell the time.
   */
  isInDoubt(): boolean {
    return Math.abs(wallOffsetMs() - this.#wallOffsetMs) > CLOCKS_AGREE_MS;
  }

  /**
   * Follows the database by the sample that took the least time, because a slow answer may have been read at any moment
   * while it was awaited. A difference within the sample's uncertainty changes nothing, so that the clock does not
   * jitter.
   */
  discipline(samples: readonly ClockSample[]): void {
    const best = samples.toSorted((a, b) => a.afterMs - a.beforeMs - (b.afterMs - b.beforeMs))[0];
    if (!best) return;
    const offsetMs = best.databaseMs - (best.beforeMs + best.afterMs) / 2;
    const uncertainMs = (best.afterMs - best.beforeMs) / 2;
    if (Math.abs(offsetMs - this.#offsetMs) > uncertainMs) this.#offsetMs = offsetMs;
    this.#wallOffsetMs = wallOffsetMs();
  }

  /** Moves the clock ahead, for tests. */
  advance(ms: number): void {
    this.#movedMs += ms;
  }
}

function wallOffsetMs(): number {
  return Date.now() - performance.now();
}
