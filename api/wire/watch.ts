import { setTimeout as pause } from 'node:timers/promises';
import type { Topic, Wakeups } from '../../db/engine/wakeups.ts';
import type { GiveBack } from '../../domain/fair-slots.ts';
import { Places } from '../../domain/places.ts';
import { EQUAL_SHARES } from '../../domain/shares.ts';
import { HELD } from './held.ts';

/** A group may have more only while as many are free (`Places`). */
const { perOwner: MAX_WAITING_OF_GROUP, inAll: MAX_WAITING } = HELD.stream;
/** A wake-up may be lost, so a request that waits looks by itself after this. */
const LOOK_EVERY_MS = 2_000;
/** Other processes have heard by then what this one waits for; what they did before wakes nobody. */
const FIRST_LOOK_AGAIN_MS = 100;

export interface Wait {
  waitMs: number;
  /** Aborted when the client leaves, because nobody reads the answer then. */
  signal: AbortSignal;
  /** Requests of one group share a bound, so that one agency cannot take every place. */
  group?: string;
  /** The pause after which a request looks again although no wake-up came. */
  lookAgainMs?: () => number;
  /** The shortest pause between two looks, for keys that wake many requests at once. */
  quietMs?: number;
}

/** `in_vain`: the time is over, the client has left, or the process stops. `full`: too many wait already. */
export type Waited<T> = { outcome: 'found'; value: T } | { outcome: 'in_vain' | 'full' };

/** Lets requests wait until their `look` finds something. One listener serves all of them. */
export class Watch {
  readonly #waiting = new Map<string, Set<() => void>>();
  readonly #stopListening: () => void;
  readonly #ask: (key: string) => void;
  readonly #places = new Places({ inAll: () => MAX_WAITING, perOwner: MAX_WAITING_OF_GROUP, shares: EQUAL_SHARES });
  #closed = false;

  constructor(wakeups: Wakeups, topic: Topic) {
    this.#stopListening = wakeups.on(topic, (key) => this.#wake(key));
    this.#ask = (key) => wakeups.ask(topic, key);
  }

  /**
   * Calls `look` until it finds something, again at each wake-up of the keys. Between two looks the request holds no
   * connection.
   */
  async until<T>(keys: readonly string[], look: () => Promise<T | undefined>, wait: Wait): Promise<Waited<T>> {
    const { waitMs, signal, group, lookAgainMs = () => LOOK_EVERY_MS, quietMs = 0 } = wait;
    const giveBack = this.hold(group);
    if (giveBack === null) return { outcome: 'full' };
    const until = performance.now() + waitMs;
    try {
      for (let looks = 1; ; looks += 1) {
        const lookedAt = performance.now();
        // Listening begins before the look, so that a change during the look wakes the request, too.
        const listening = this.#listen(keys, signal);
        try {
          const value = await look();
          if (value !== undefined) return { outcome: 'found', value };
          const restMs = until - performance.now();
          if (restMs <= 0 || signal.aborted || this.#closed) return { outcome: 'in_vain' };
          const againMs = lookAgainMs();
          await listening.next(Math.min(restMs, looks === 1 ? Math.min(againMs, FIRST_LOOK_AGAIN_MS) : againMs));
          const restOfQuietMs = lookedAt + quietMs - performance.now();
          // A client that leaves ends the pause; the next look notices that it has left.
          if (restOfQuietMs > 0 && !this.#closed) await pause(restOfQuietMs, null, { signal }).catch(() => null);
        } finally {
          listening.end();
        }
      }
    } finally {
      giveBack();
    }
  }

  /** Takes the place of a request that waits, for one that is held in another way; null when too many wait already. */
  hold(group: string | undefined): GiveBack | null {
    const holder = { owner: group ?? '', agencyId: group ?? '' };
    // A request without a group is bounded by the number of all places alone.
    if (group === undefined ? this.#places.isFull : !this.#places.hasRoom(holder)) return null;
    this.#places.take(holder);
    let isHeld = true;
    return () => {
      if (isHeld) this.#places.giveBack(holder);
      isHeld = false;
    };
  }

  /** Counts the waiting requests. */
  get held(): number {
    return this.#places.used;
  }

  /** Answers every waiting request now. */
  close(): void {
    this.#closed = true;
    this.#stopListening();
    for (const key of this.#waiting.keys()) this.#wake(key);
  }

  /** `next` resolves at the first wake-up since, after `timeoutMs`, or when the signal aborts. */
  #listen(keys: readonly string[], signal: AbortSignal): { next(timeoutMs: number): Promise<void>; end(): void } {
    const woken = Promise.withResolvers<void>();
    const wake = (): void => woken.resolve();
    for (const key of keys) this.#ask(key);
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

  #wake(key: string): void {
    for (const wake of this.#waiting.get(key) ?? []) wake();
  }

  #forget(key: string, wake: () => void): void {
    const waiting = this.#waiting.get(key);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(key);
  }
}
