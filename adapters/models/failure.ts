import { EngineError } from '../../domain/error.ts';
import type { ModelError } from './error.ts';

/** If a provider asks for a longer pause than this, its model is given up: the fallback model answers sooner. */
const MAX_RETRY_AFTER_MS = 20_000;

/** Says in the engine's words that a model gave no answer, and whether it is worth asking again. */
export function failureOf({ code, retryable, retryAfterMs }: ModelError): EngineError {
  const waitsMs = retryAfterMs ?? 0;
  if (!retryable || waitsMs > MAX_RETRY_AFTER_MS) return new EngineError('model_failed', code);
  return new EngineError('model_unavailable', code, waitsMs > 0 ? { retryAfterMs: waitsMs } : {});
}
