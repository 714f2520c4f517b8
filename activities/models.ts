import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText } from 'ai';

export interface ModelSpec {
  id: string;
  provider: string;
}

export interface ModelOptions {
  models: readonly ModelSpec[];
  /** An OpenAI-style base that ends in `/v1`. */
  baseUrl: string;
  apiKey: string | null;
}

export interface ModelRequest {
  model: string;
  instructions: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
  temperature: number;
  maxTokens: number;
  signal: AbortSignal;
}

export interface ModelAnswer {
  text: string;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

/** Why a model gave no answer; a code, because providers put prompts into their words. */
export class ModelError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(code: string, retryable: boolean, retryAfterMs: number | null = null) {
    super(`The model gave no answer: ${code}`);
    this.code = code;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
  }
}

export type Models = ReturnType<typeof createModels>;

/** The models an agency may choose, behind one call. Retries belong to Temporal: one request per call. */
export function createModels(options: ModelOptions) {
  const provider = createOpenAICompatible({
    name: 'engine',
    baseURL: options.baseUrl,
    ...(options.apiKey === null ? {} : { apiKey: options.apiKey }),
  });

  async function generate(request: ModelRequest): Promise<ModelAnswer> {
    // A model that is no longer configured gives way to the first that is.
    const model = options.models.find(({ id }) => id === request.model) ?? options.models[0];
    if (!model) throw new ModelError('no_model_configured', false);
    try {
      const { text, usage } = await generateText({
        model: provider(model.id),
        instructions: request.instructions,
        messages: request.messages,
        temperature: request.temperature,
        maxOutputTokens: request.maxTokens,
        maxRetries: 0,
        abortSignal: request.signal,
      });
      if (text.trim() === '') throw new ModelError('empty_answer', true);
      return {
        text: text.trim(),
        model: model.id,
        inputTokens: usage.inputTokens ?? null,
        outputTokens: usage.outputTokens ?? null,
      };
    } catch (error) {
      throw request.signal.aborted ? error : modelError(error);
    }
  }

  return { generate, defaultId: options.models[0]?.id ?? '' };
}

function modelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  if (!APICallError.isInstance(error)) return new ModelError('unreadable_answer', true);
  const seconds = Number(error.responseHeaders?.['retry-after']);
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
  return new ModelError(`http_${error.statusCode ?? 'none'}`, error.isRetryable, retryAfterMs);
}
