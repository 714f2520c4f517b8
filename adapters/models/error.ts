import type { ModelUse } from './use.ts';

/** Says why a model gave no answer. The code holds no words, because providers put prompts into their words. */
export type ModelErrorCode =
  | 'timeout'
  | 'connection_failed'
  | 'rate_limited'
  | 'quota_used_up'
  | 'provider_failed'
  | 'unreadable_answer'
  | 'answer_too_large'
  | 'refused'
  | 'context_too_long'
  | 'key_refused'
  | 'format_refused'
  | 'request_refused'
  | 'no_model_configured'
  /** The model answered, and we could not do what the answer said. */
  | 'internal';

/** These errors may be gone when the model is asked again. After any other error the fallback model is asked. */
const RETRYABLE: ReadonlySet<ModelErrorCode> = new Set([
  'timeout',
  'connection_failed',
  'rate_limited',
  'provider_failed',
  'unreadable_answer',
]);

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly retryable: boolean;
  /** The pause that the provider asks for. */
  readonly retryAfterMs: number | null;
  /** The tokens that the failed request took; null where the provider did not tell. */
  readonly use: ModelUse | null;

  constructor(code: ModelErrorCode, more: { retryAfterMs?: number | null; use?: ModelUse; isLast?: boolean } = {}) {
    super(`The model gave no answer: ${code}`);
    this.code = code;
    this.retryable = RETRYABLE.has(code) && more.isLast !== true;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.use = more.use ?? null;
  }
}
