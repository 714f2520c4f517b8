/**
 * A moment in the near future. It is past as soon as either clock of this process says so, because the wall clock may
 * be set back and `performance.now` may stand still while the machine sleeps.
 */
export class Deadline {
  readonly #wallMs: number;
  readonly #passedMs: number;

  constructor(inMs: number) {
    this.#wallMs = Date.now() + inMs;
    this.#passedMs = performance.now() + inMs;
  }

  /** Returns the time left, which is negative once the moment is past. */
  leftMs(): number {
    return Math.min(this.#wallMs - Date.now(), this.#passedMs - performance.now());
  }

  isPast(): boolean {
    return this.leftMs() < 0;
  }
}
