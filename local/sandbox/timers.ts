/** Holds all timers of the sandbox; clearing them on close lets the process (and a test) end. */
export class Timers {
  readonly #pending = new Set<NodeJS.Timeout>();

  after(ms: number, act: () => void): () => void {
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      act();
    }, ms);
    timer.unref();
    this.#pending.add(timer);
    return () => {
      clearTimeout(timer);
      this.#pending.delete(timer);
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  clear(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}
