import type { Persona } from './sales-agent.ts';

/** The pause before models are asked again is half of the message's age, but no shorter and no longer than these. */
const SHORTEST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 120_000;

type Retries = Pick<Persona, 'retryForMinutes'>;

/**
 * Returns until when a message may be answered while models fail. The time counts from its receipt, so that newer
 * messages do not prolong it.
 */
export function retryUntilMs(receivedMs: number, { retryForMinutes }: Retries): number {
  return receivedMs + retryForMinutes * 60_000;
}

/**
 * Returns when models are asked again about messages, the first of which came at `receivedMs`; null when that would be
 * too late.
 */
export function nextRetryMs(receivedMs: number, nowMs: number, persona: Retries): number | null {
  const pauseMs = Math.min(Math.max((nowMs - receivedMs) / 2, SHORTEST_PAUSE_MS), MAX_PAUSE_MS);
  const nextMs = nowMs + pauseMs;
  return nextMs < retryUntilMs(receivedMs, persona) ? nextMs : null;
}
