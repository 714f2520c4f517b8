import { z } from 'zod';
import { takesFiles } from '../../domain/agent/model.ts';
import type { ModelSpec } from '../../domain/agent/model.ts';
import type { Prompt, PromptMessage, PromptOptions } from '../../domain/agent/prompt/context.ts';
import { answerTokens, promptOptions } from '../../domain/agent/prompt/limits.ts';
import type { TurnDecision } from '../../domain/agent/turn-outcome.ts';
import { DECISION_FORM, FlatDecision, readDecision, readObject, thinksFirst } from './answer.ts';
import { ModelError } from './error.ts';
import { createProviders } from './providers.ts';
import type { ProviderOptions } from './providers.ts';
import { requestAnswer } from './request.ts';
import type { WrittenAnswer, WrittenRequest } from './request.ts';
import type { ModelUse } from './use.ts';
import { count, observe } from '../../domain/telemetry/meter.ts';

export interface ModelOptions extends ProviderOptions {
  models: readonly ModelSpec[];
  /** Limits one request, up to the last byte of its answer. */
  timeoutMs?: number;
}

interface Asked {
  model: string;
  maxTokens: number;
  signal: AbortSignal;
}

export interface AnswerRequest extends Asked {
  prompt: Prompt;
  temperature: number;
}

export interface ExtractRequest<T> extends Asked {
  instructions: string;
  messages: readonly PromptMessage[];
  schema: z.ZodType<T>;
}

type Content = Pick<WrittenRequest, 'instructions' | 'messages' | 'schema' | 'temperature'>;
type Read<T> = (written: WrittenAnswer) => T;

export type Models = ReturnType<typeof createModels>;

const MODEL_TIMEOUT_MS = 60_000;

/**
 * Asks the models that an agency may choose, through one interface. An error is thrown at once, because retries belong
 * to Temporal.
 */
export function createModels(options: ModelOptions) {
  const { models, timeoutMs = MODEL_TIMEOUT_MS } = options;
  const languageModel = createProviders(options);
  /** The models whose endpoint takes no schema. For these the form is in the prompt alone. */
  const withoutSchema = new Set<string>();
  /** The models whose prompt begins their thoughts, so that only the end of a thought has a mark. */
  const thinkingFirst = new Set<string>();

  function find(id: string): ModelSpec {
    const spec = models.find((model) => model.id === id) ?? models[0];
    if (!spec) throw new ModelError('no_model_configured');
    return spec;
  }

  async function answer({ prompt, ...asked }: AnswerRequest): Promise<ModelUse & { decision: TurnDecision }> {
    const request = {
      instructions: `${prompt.instructions}\n\n${DECISION_FORM}`,
      messages: prompt.messages,
      schema: FlatDecision,
      temperature: asked.temperature,
    };
    const { id } = find(asked.model);
    const { value: decision, ...use } = await ask(asked, request, (written) => {
      if (thinksFirst(written.text)) thinkingFirst.add(id);
      return readDecision({ ...written, thinksFirst: thinkingFirst.has(id) });
    });
    return { decision, ...use };
  }

  /** Extracts facts from a conversation, in the form of the schema. */
  async function extract<T>(request: ExtractRequest<T>): Promise<ModelUse & { value: T }> {
    const form = JSON.stringify(z.toJSONSchema(request.schema, { target: 'draft-7', io: 'input' }));
    const content = {
      instructions: `${request.instructions}\n\nAnswer with one JSON object and nothing else, that fits this JSON schema:\n${form}`,
      messages: request.messages,
      schema: request.schema,
      temperature: 0,
    };
    return ask(request, content, ({ text }) => readObject(text, request.schema));
  }

  async function ask<T>(asked: Asked, content: Content, read: Read<T>): Promise<ModelUse & { value: T }> {
    const spec = find(asked.model);
    const startedAtMs = performance.now();
    try {
      const answered = await askFor(spec, asked, content, read);
      noteRequest(spec.id, { outcome: 'answered', startedAtMs, use: answered });
      return answered;
    } catch (error) {
      const failed = error instanceof ModelError ? { outcome: error.code, use: error.use } : ABANDONED;
      noteRequest(spec.id, { ...failed, startedAtMs });
      throw error;
    }
  }

  /**
   * Asks a model and reads its answer. An answer that cannot be used is thrown with what it took, because it has its
   * price too.
   */
  async function askFor<T>(
    spec: ModelSpec,
    { maxTokens, signal }: Asked,
    content: Content,
    read: Read<T>,
  ): Promise<ModelUse & { value: T }> {
    const startedAt = performance.now();
    const request = {
      ...content,
      maxTokens: answerTokens(spec.contextTokens, maxTokens),
      reasoningEffort: spec.reasoningEffort ?? null,
      model: await languageModel(spec.provider, spec.id),
    };
    const written = await inTime(signal, async (within) => {
      if (withoutSchema.has(spec.id)) return requestAnswer({ ...request, schema: null, signal: within });
      try {
        return await requestAnswer({ ...request, signal: within });
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== 'format_refused') throw error;
        withoutSchema.add(spec.id);
        return requestAnswer({ ...request, schema: null, signal: within });
      }
    });
    const { inputTokens, outputTokens } = written;
    const ms = Math.round(performance.now() - startedAt);
    const use = { model: spec.id, inputTokens, outputTokens, costMicros: costOf(spec, written), ms };
    if (written.isFiltered) throw new ModelError('refused', { use });
    try {
      return { value: read(written), ...use };
    } catch (error) {
      throw error instanceof ModelError ? new ModelError(error.code, { use }) : error;
    }
  }

  /**
   * Bounds the work. A cancellation is thrown with the caller's reason, and any other failure with one of our codes.
   */
  async function inTime<T>(signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      return await work(AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelError) throw error;
      throw new ModelError(timeout.aborted ? 'timeout' : 'unreadable_answer');
    }
  }

  return {
    answer,
    extract,
    defaultId: models[0]?.id ?? '',
    /** The model to ask when this one does not answer; null when it is the last. */
    fallbackOf: (id: string): string | null => find(id).fallback ?? null,
    /** Tells whether the model takes files of that kind or of that type. */
    takes: (id: string, kindOrType: string): boolean => takesFiles(find(id), kindOrType),
    /** Limits a prompt so that the model's answer still fits into its window. */
    promptOptions(id: string, maxTokens: number): PromptOptions {
      return promptOptions(find(id).contextTokens, maxTokens);
    },
  };
}

/** Prices are per million and micros are millionths, so the two cancel out. */
function costOf(spec: ModelSpec, { inputTokens, outputTokens }: WrittenAnswer): number | null {
  const { inputPerMillion, outputPerMillion } = spec;
  if (inputPerMillion === undefined && outputPerMillion === undefined) return null;
  if (inputTokens === null && outputTokens === null) return null;
  return Math.round((inputTokens ?? 0) * (inputPerMillion ?? 0) + (outputTokens ?? 0) * (outputPerMillion ?? 0));
}

const MICROS = 1_000_000;

/** The turn was called off while the model was asked. */
const ABANDONED = { outcome: 'abandoned', use: null } as const;

/** Tells the meter what one request to a model took. */
function noteRequest(
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
