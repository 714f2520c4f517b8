/** The database's time in milliseconds since 1970, read between two readings of this process's `performance.now`. */
export interface ClockSample {
  databaseMs: number;
  beforeMs: number;
  afterMs: number;
}

/** When a process's two clocks differ by more, one of them has stood still or stepped. */
const CLOCKS_AGREE_MS = 1_000;

/**
 * The one clock that due times are compared with. It follows the database's, so that processes whose own clocks differ
 * agree; tests move it, so that three days are a millisecond. Between samples it goes by the time that has passed: a
 * wall clock that is set would end doubts and expire messages at once.
 */
export class Clock {
  /** To be added to `performance.now`. */
  #offsetMs = wallOffsetMs();
  #wallOffsetMs = this.#offsetMs;
  #movedMs = 0;

  now(): Date {
    return new Date(this.outside().getTime() + this.#movedMs);
  }

  /** For what others compare with their own clocks: it cannot be moved. */
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
   * Follows the database by the sample that took the least time: the answer of a slow one may have been read at any
   * moment of it. A difference that the sample cannot tell from none changes nothing, so that the clock does not
   * tremble.
   */
  discipline(samples: readonly ClockSample[]): void {
    const best = samples.toSorted((a, b) => a.afterMs - a.beforeMs - (b.afterMs - b.beforeMs))[0];
    if (!best) return;
    const offsetMs = best.databaseMs - (best.beforeMs + best.afterMs) / 2;
    const uncertainMs = (best.afterMs - best.beforeMs) / 2;
    if (Math.abs(offsetMs - this.#offsetMs) > uncertainMs) this.#offsetMs = offsetMs;
    this.#wallOffsetMs = wallOffsetMs();
  }

  /** For tests. */
  advance(ms: number): void {
    this.#movedMs += ms;
  }
}

function wallOffsetMs(): number {
  return Date.now() - performance.now();
}
