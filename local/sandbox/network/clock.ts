/** The clock of the simulated backend, which a test may set ahead of or behind the real time. */
export class NetworkClock {
  /** The milliseconds by which the clock is ahead of the real time; negative when it is behind. */
  aheadMs = 0;

  now(): number {
    return Date.now() + this.aheadMs;
  }

  /** The time in whole seconds, as messages bear it. */
  nowS(): number {
    return Math.floor(this.now() / 1_000);
  }
}
