import type { Queries } from '../../db/tx.ts';
import { isRetry } from '../../db/agent/turn-end.ts';
import type { Turn } from '../../db/agent/turn.ts';
import { nextRetryMs, retryUntilMs } from '../../domain/agent/model-retry.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { Conclusion } from './conclude-turn.ts';
import { fallbackParts } from './fallback.ts';

const MODEL_FAILED = 'model_failed';

/** No model has answered: the turn is tried again where the persona wants that and there is time, else it is a person's. */
export async function failedConclusion(queries: Queries, turn: Turn, persona: Persona): Promise<Conclusion> {
  const retryMs =
    persona.onModelFailure === 'retry' ? nextRetryMs(receivedMs(turn), queries.now.getTime(), persona) : null;
  if (retryMs !== null) return { outcome: 'silence', code: 'model_retry', retryAt: new Date(retryMs) };
  return handedOver(queries, turn, persona);
}

/** The fallback message and the handoff are one conclusion: neither is ever there without the other. */
export async function handedOver(queries: Queries, turn: Turn, persona: Persona): Promise<Conclusion> {
  const parts = await fallbackParts(queries, turn, persona);
  return { outcome: 'handoff', cause: MODEL_FAILED, reason: MODEL_FAILED, parts, notes: [], silence: MODEL_FAILED };
}

/** The models were away so long that an answer would be stale. One that is only slow is not meant. */
export async function cameTooLate(queries: Queries, turn: Turn, persona: Persona): Promise<boolean> {
  if (queries.now.getTime() < retryUntilMs(receivedMs(turn), persona)) return false;
  return isRetry(queries, turn);
}

function receivedMs({ receivedAt, startedAt }: Turn): number {
  return (receivedAt ?? startedAt).getTime();
}
