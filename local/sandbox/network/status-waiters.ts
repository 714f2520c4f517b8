import type { Timers } from '../timers.ts';

/** Lets a blocked call go on as soon as its session's status changes. */
export class StatusWaiters {
  readonly #timers: Timers;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  changed(session: string): void {
    for (const wake of this.#waiting.get(session) ?? []) wake();
  }

  /** Waits until the condition holds or the time is over, and returns whether it holds. */
  async until(session: string, condition: () => boolean, ms: number): Promise<boolean> {
    const deadline = Date.now() + ms;
    while (!condition()) {
      const left = deadline - Date.now();
      if (left <= 0) return false;
      await this.#nextChange(session, left);
    }
    return true;
  }

  #nextChange(session: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(session) ?? new Set();
      this.#waiting.set(session, waiting);
      const wake = () => {
        cancel();
        waiting.delete(wake);
        resolve();
      };
      const cancel = this.#timers.after(ms, wake);
      waiting.add(wake);
    });
  }
}
