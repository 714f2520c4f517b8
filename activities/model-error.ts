/** Why a model gave no answer; a code and never words, because providers put prompts into their words. */
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
  | 'no_model_configured';

/** What may go better when it is asked again; the rest is for the fallback model. */
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

  constructor(code: ModelErrorCode, retryAfterMs: number | null = null) {
    super(`The model gave no answer: ${code}`);
    this.code = code;
    this.retryable = RETRYABLE.has(code);
    this.retryAfterMs = retryAfterMs;
  }
}
