/** Wakes one waiter. A ring that nobody waits for is kept, so that the next wait is over at once. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    if (wake) wake();
    else this.#isRung = true;
  }

  /** Resolves at the next ring. */
  async next(): Promise<void> {
    const isRung = this.#isRung;
    this.#isRung = false;
    if (!isRung) await new Promise<void>((resolve) => void (this.#wake = resolve));
  }
}
