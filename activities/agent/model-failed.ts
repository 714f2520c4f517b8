import type { Queries } from '../../db/engine/tx.ts';
import { isRetry } from '../../db/agent/turn-end.ts';
import type { TurnAtWork } from '../../db/agent/turn.ts';
import { nextRetryMs, retryUntilMs } from '../../domain/agent/model-retry.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { Conclusion } from './conclude-turn.ts';
import { fallbackParts } from './fallback.ts';

const MODEL_FAILED = 'model_failed';

/**
 * Concludes a turn that no model has answered. The turn is tried again if the persona wants that and there is time;
 * else a person gets the conversation.
 */
export async function failedConclusion(queries: Queries, turn: TurnAtWork, persona: Persona): Promise<Conclusion> {
  const retryMs =
    persona.onModelFailure === 'retry' ? nextRetryMs(receivedMs(turn), queries.now.getTime(), persona) : null;
  if (retryMs !== null) return { outcome: 'silence', code: 'model_retry', retryAt: new Date(retryMs) };
  return handedOver(queries, turn, persona);
}

/**
 * Hands the conversation over with the fallback message. Both are one conclusion, so neither ever happens without the
 * other.
 */
export async function handedOver(queries: Queries, turn: TurnAtWork, persona: Persona): Promise<Conclusion> {
  const parts = await fallbackParts(queries, turn, persona);
  return { outcome: 'handoff', cause: MODEL_FAILED, reason: MODEL_FAILED, parts, notes: [], silence: MODEL_FAILED };
}

/**
 * Tells whether the models were away so long that an answer would be stale. A model that is only slow does not count,
 * so this holds only for a turn that is tried again.
 */
export async function cameTooLate(queries: Queries, turn: TurnAtWork, persona: Persona): Promise<boolean> {
  return isPastRetries(queries.now, turn, persona) && isRetry(queries, turn);
}

/** True when models are not asked again about the turn's messages any more. */
export function isPastRetries(now: Date, turn: TurnAtWork, persona: Persona): boolean {
  return now.getTime() >= retryUntilMs(receivedMs(turn), persona);
}

function receivedMs({ receivedAt, startedAt }: Pick<TurnAtWork, 'receivedAt' | 'startedAt'>): number {
  return (receivedAt ?? startedAt).getTime();
}
