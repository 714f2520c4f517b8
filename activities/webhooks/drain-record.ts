import type { AttemptRecord, ClaimedDelivery } from '../../db/webhooks/delivery.ts';
import { verdictOf } from '../../domain/webhooks/retry.ts';
import type { Attempt } from './attempt.ts';

const NOT_POSTED = {
  status: null,
  durationMs: 0,
  connectMs: null,
  firstByteMs: null,
  reused: false,
  excerpt: null,
  location: null,
  retryAfterMs: null,
};

/** Our own fault, before anything was posted. */
export function notPosted(reason: 'released' | 'secret_unreadable'): Attempt {
  return { class: reason, ...NOT_POSTED };
}

/** What is written of an attempt, with what follows from it. */
export function recordOf(
  attempt: Attempt,
  delivery: ClaimedDelivery,
  ladder: readonly number[] | null,
  now: Date,
): AttemptRecord {
  const { retryAfterMs, durationMs, connectMs, firstByteMs, ...seen } = attempt;
  const { id, ladderStep, probe } = delivery;
  return {
    ...verdictOf({ class: attempt.class, retryAfterMs }, { ladderStep, ladder, probe }, now, Math.random()),
    ...seen,
    id,
    probe: probe !== null,
    durationMs: Math.round(durationMs),
    connectMs: connectMs === null ? null : Math.round(connectMs),
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
  };
}
