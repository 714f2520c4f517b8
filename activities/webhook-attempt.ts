import type { ClaimedDelivery } from '../db/delivery.ts';
import { classifyStatus } from '../domain/retry.ts';
import type { AttemptClass } from '../domain/retry.ts';
import type { Egress } from './egress.ts';
import { networkFailureOf } from './network-failure.ts';
import { signWebhook } from './webhook-signature.ts';

export interface Attempt {
  class: AttemptClass;
  status: number | null;
  durationMs: number;
  excerpt: string | null;
  /** What the receiver asked for, in milliseconds. */
  retryAfterMs: number | null;
}

/** One HTTP try of one delivery. Never throws: whatever happens is the receiver's answer or a class of failure. */
export async function attemptDelivery(
  egress: Egress,
  endpoint: { url: string; secret: string; timeoutMs: number },
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  const started = performance.now();
  const timestamp = Math.floor(Date.now() / 1_000);
  try {
    const answer = await egress.post({
      url: endpoint.url,
      timeoutMs: endpoint.timeoutMs,
      body: delivery.body,
      headers: {
        'content-type': 'application/json',
        'webhook-attempt': String(delivery.attempts + 1),
        ...signWebhook(endpoint.secret, { eventId: delivery.eventId, timestamp, body: delivery.body }),
      },
    });
    return {
      class: classifyStatus(answer.status),
      status: answer.status,
      durationMs: performance.now() - started,
      excerpt: answer.excerpt === '' ? null : answer.excerpt,
      retryAfterMs: parseRetryAfter(answer.retryAfter),
    };
  } catch (error) {
    const durationMs = performance.now() - started;
    return { class: networkFailureOf(error), status: null, durationMs, excerpt: null, retryAfterMs: null };
  }
}

/** Seconds (also fractional) or an HTTP date. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
