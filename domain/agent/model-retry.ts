import type { Persona } from './sales-agent.ts';

/** Models are asked again after half of the time that has gone by, within these. */
const SHORTEST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 120_000;

type Retries = Pick<Persona, 'retryForMinutes'>;

/** Until when a message may be answered where models fail: it counts from its receipt, so that newer ones prolong nothing. */
export function retryUntilMs(receivedMs: number, { retryForMinutes }: Retries): number {
  return receivedMs + retryForMinutes * 60_000;
}

/** When models are asked again about messages of which the first was received then; null where that would be too late. */
export function nextRetryMs(receivedMs: number, nowMs: number, persona: Retries): number | null {
  const pauseMs = Math.min(Math.max((nowMs - receivedMs) / 2, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  const nextMs = nowMs + pauseMs;
  return nextMs < retryUntilMs(receivedMs, persona) ? nextMs : null;
}
