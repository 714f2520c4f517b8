/** The time that the simulated backend tells, which a test may set apart from everybody else's. */
export class NetworkClock {
  /** Negative is behind. */
  aheadMs = 0;

  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** Whole seconds, as messages bear it. */
  nowS(): number {
    return Math.floor(this.now() / 1_000);
  }
}
