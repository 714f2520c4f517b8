import { count, observe } from '../../domain/telemetry/meter.ts';
import type { ModelUse } from './use.ts';

const MICROS = 1_000_000;

/** The turn was called off while the model was asked. */
export const ABANDONED = { outcome: 'abandoned', use: null } as const;

/** Tells the meter what one request to a model took. */
export function noteRequest(
  model: string,
  asked: {
    outcome: string;
    startedAtMs: number;
    use: Pick<ModelUse, 'inputTokens' | 'outputTokens' | 'costMicros'> | null;
  },
): void {
  const { outcome, startedAtMs, use } = asked;
  count('engine_ai_requests_total', { model, outcome });
  observe('engine_ai_request_duration_seconds', { model }, (performance.now() - startedAtMs) / 1_000);
  count('engine_ai_tokens_total', { model, kind: 'input' }, use?.inputTokens ?? 0);
  count('engine_ai_tokens_total', { model, kind: 'output' }, use?.outputTokens ?? 0);
  count('engine_ai_cost_total', { model }, (use?.costMicros ?? 0) / MICROS);
}
