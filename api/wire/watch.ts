import type { Topic, Wakeups } from '../../db/wakeups.ts';

/** As many requests as one process lets wait. */
const MOST = 1_000;
/** Of these, those that wait for the same. */
const MOST_OF_ONE = 200;

/** Tells requests that something has become of what they wait for, by a topic's keys: one listener for all of them. */
export class Watch {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stop: () => void;
  #held = 0;
  readonly #heldOf = new Map<string, number>();
  #closed = false;

  constructor(wakeups: Wakeups, topic: Topic) {
    this.#stop = wakeups.on(topic, (key) => this.#wake(key));
  }

  /** Runs the work that waits, unless so many do already, or so many of the same `group`. */
  async hold<T>(work: () => Promise<T>, group?: string): Promise<T | undefined> {
    if (this.#closed || this.#held >= MOST) return undefined;
    if (group !== undefined && this.#of(group) >= MOST_OF_ONE) return undefined;
    this.#count(group, 1);
    try {
      return await work();
    } finally {
      this.#count(group, -1);
    }
  }

  #of(group: string): number {
    return this.#heldOf.get(group) ?? 0;
  }

  #count(group: string | undefined, by: 1 | -1): void {
    this.#held += by;
    if (group === undefined) return;
    const held = this.#of(group) + by;
    if (held === 0) this.#heldOf.delete(group);
    else this.#heldOf.set(group, held);
  }

  /** Begins to listen; `next` resolves at the first wake-up since, after `timeoutMs`, or when the signal aborts. */
  listen(keys: readonly string[], signal: AbortSignal): { next(timeoutMs: number): Promise<void>; end(): void } {
    const woken = Promise.withResolvers<void>();
    const wake = (): void => woken.resolve();
    for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(wake));
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
        for (const key of keys) this.#forget(key, wake);
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
    for (const key of this.#waiting.keys()) this.#wake(key);
  }

  #wake(key: string): void {
    for (const wake of this.#waiting.get(key) ?? []) wake();
  }

  #forget(key: string, wake: () => void): void {
    const waiting = this.#waiting.get(key);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(key);
  }
}
