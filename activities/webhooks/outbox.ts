import type { Clock } from '../../db/clock.ts';
import type { AttemptRecord, ClaimedDelivery } from '../../db/webhooks/delivery.ts';
import { verdictOf } from '../../domain/webhooks/retry.ts';
import type { Attempt } from './attempt.ts';

/**
 * Results that cannot be written are given up this long after the first failure. Then their attempts are made again.
 */
const KEEP_MS = 50_000;

const NOT_POSTED: Omit<Attempt, 'class'> = {
  status: null,
  durationMs: 0,
  connectMs: null,
  firstByteMs: null,
  reused: false,
  excerpt: null,
  location: null,
  retryAfterMs: null,
};

/** The results of a drain's attempts until they are written. */
export class Outbox {
  readonly #clock: Pick<Clock, 'now'>;
  #records: AttemptRecord[] = [];
  #failedAtMs: number | null = null;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  /** Adds the result of an attempt, and what follows from it by the endpoint's ladder. */
  put(delivery: ClaimedDelivery, attempt: Attempt, ladder: readonly number[] | null = null): void {
    const { retryAfterMs, durationMs, connectMs, firstByteMs, ...seen } = attempt;
    const { id, ladderStep, probe } = delivery;
    const end = { class: attempt.class, retryAfterMs };
    this.#records.push({
      ...verdictOf(end, { ladderStep, ladder, probe }, this.#clock.now(), Math.random()),
      ...seen,
      id,
      probe: probe !== null,
      durationMs: Math.round(durationMs),
      connectMs: connectMs === null ? null : Math.round(connectMs),
      firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    });
  }

  /** Adds deliveries that were claimed but not posted. The reason is ours, so they use up no attempt. */
  putUnposted(deliveries: readonly ClaimedDelivery[], reason: 'released' | 'secret_unreadable'): void {
    for (const delivery of deliveries) this.put(delivery, { class: reason, ...NOT_POSTED });
  }

  take(): AttemptRecord[] {
    return this.#records.splice(0);
  }

  /** Takes back results that could not be written, so that they are tried again. */
  putBack(records: readonly AttemptRecord[]): void {
    this.#failedAtMs ??= performance.now();
    this.#records = performance.now() - this.#failedAtMs > KEEP_MS ? [] : [...records, ...this.#records];
  }
}
