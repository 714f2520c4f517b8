/**
 * The one clock that due times are compared with. It follows the database's, so that processes whose own
 * clocks differ agree; tests move it, so that three days are a millisecond.
 */
export class Clock {
  #offsetMs = 0;
  #movedMs = 0;

  now(): Date {
    return new Date(Date.now() + this.#offsetMs + this.#movedMs);
  }

  /** Follows the database: `databaseNow` was read between `before` and `after` of this process's clock. */
  discipline(databaseNow: Date, before: number, after: number): void {
    this.#offsetMs = databaseNow.getTime() - (before + after) / 2;
  }

  /** For tests. */
  advance(ms: number): void {
    this.#movedMs += ms;
  }
}
