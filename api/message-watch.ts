import type { Wakeups } from '../db/wakeups.ts';

/** As many requests as one process lets wait. */
const MOST = 1_000;

/** Tells requests that something has become of their messages: one listener for all that wait. */
export class MessageWatch {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stop: () => void;
  #held = 0;
  #closed = false;

  constructor(wakeups: Wakeups) {
    this.#stop = wakeups.on('message', (messageId) => this.#wake(messageId));
  }

  /** Runs the work that waits, unless so many do already. */
  async hold<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#closed || this.#held >= MOST) return undefined;
    this.#held += 1;
    try {
      return await work();
    } finally {
      this.#held -= 1;
    }
  }

  /** Begins to listen; `next` resolves at the first wake-up since, after `timeoutMs`, or when the signal aborts. */
  listen(messageIds: readonly string[], signal: AbortSignal): { next(timeoutMs: number): Promise<void>; end(): void } {
    const woken = Promise.withResolvers<void>();
    const wake = (): void => woken.resolve();
    for (const id of messageIds) this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(wake));
    signal.addEventListener('abort', wake);
    if (this.#closed || signal.aborted) wake();
    return {
      async next(timeoutMs) {
        const timer = setTimeout(wake, timeoutMs);
        await woken.promise;
        clearTimeout(timer);
      },
      end: () => {
        signal.removeEventListener('abort', wake);
        for (const id of messageIds) this.#forget(id, wake);
      },
    };
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Whoever waits is answered now. */
  close(): void {
    this.#closed = true;
    this.#stop();
    for (const id of this.#waiting.keys()) this.#wake(id);
  }

  #wake(messageId: string): void {
    for (const wake of this.#waiting.get(messageId) ?? []) wake();
  }

  #forget(messageId: string, wake: () => void): void {
    const waiting = this.#waiting.get(messageId);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(messageId);
  }
}
