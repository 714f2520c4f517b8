/** The database's time, read between two readings of this process's clock; all in milliseconds since 1970. */
export interface ClockSample {
  databaseMs: number;
  beforeMs: number;
  afterMs: number;
}

/**
 * The one clock that due times are compared with. It follows the database's, so that processes whose own
 * clocks differ agree; tests move it, so that three days are a millisecond.
 */
export class Clock {
  #offsetMs = 0;
  #movedMs = 0;

  now(): Date {
    return new Date(this.outside().getTime() + this.#movedMs);
  }

  /** For what others compare with their own clocks: it cannot be moved. */
  outside(): Date {
    return new Date(Date.now() + this.#offsetMs);
  }

  /**
   * Follows the database by the sample that took the least time: the answer of a slow one may have been read at any moment
   * of it. A difference that the sample cannot tell from none changes nothing, so that the clock does not tremble.
   */
  discipline(samples: readonly ClockSample[]): void {
    const best = samples.toSorted((a, b) => a.afterMs - a.beforeMs - (b.afterMs - b.beforeMs))[0];
    if (!best) return;
    const offsetMs = best.databaseMs - (best.beforeMs + best.afterMs) / 2;
    const uncertainMs = (best.afterMs - best.beforeMs) / 2;
    if (Math.abs(offsetMs - this.#offsetMs) > uncertainMs) this.#offsetMs = offsetMs;
  }

  /** For tests. */
  advance(ms: number): void {
    this.#movedMs += ms;
  }
}
