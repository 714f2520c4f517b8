import type { Persona } from './sales-agent.ts';

/** Models are asked again after half of the time that has gone by, but no sooner and no later than this. */
const SHORTEST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 120_000;

type Retries = Pick<Persona, 'retryForMinutes'>;

/**
 * A message may be answered until then where models fail. The time counts from its receipt, so that newer messages prolong
 * nothing.
 */
export function retryUntilMs(receivedMs: number, { retryForMinutes }: Retries): number {
  return receivedMs + retryForMinutes * 60_000;
}

/**
 * Answers when models are asked again about messages of which the first was received then; null where that would be too late.
 */
export function nextRetryMs(receivedMs: number, nowMs: number, persona: Retries): number | null {
  const pauseMs = Math.min(Math.max((nowMs - receivedMs) / 2, SHORTEST_PAUSE_MS), MAX_PAUSE_MS);
  const nextMs = nowMs + pauseMs;
  return nextMs < retryUntilMs(receivedMs, persona) ? nextMs : null;
}
