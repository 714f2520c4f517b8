import { ModelError } from '../../../adapters/models/error.ts';
import { createModels } from '../../../adapters/models/models.ts';
import type { ModelOptions, Models } from '../../../adapters/models/models.ts';
import type { ModelSpec } from '../../../domain/agent/model.ts';
import type { Prompt } from '../../../domain/agent/prompt/context.ts';
import type { AProvider, Behaviour } from './a-provider.ts';

/** A word that stands in every prompt here, and may stand in no error. */
export const SECRET = 'Quokka-7731';
export const prompt: Prompt = {
  instructions: `You sell boats. ${SECRET}`,
  messages: [{ role: 'user', content: `Do you have boats? ${SECRET}`, media: [] }],
  memoryIds: [],
  tenantFactIds: [],
  messageIds: [],
};
export const reply = JSON.stringify({ outcome: 'reply', text: 'Yes.', reason: '' });
export const compatible: ModelSpec = { id: 'm', provider: 'openai-compatible' };

/** Models of a provider that behaves as a test says. */
export function askers(provider: AProvider) {
  const modelsOf = (spec: ModelSpec | ModelSpec[] = compatible, more: Partial<ModelOptions> = {}): Models =>
    createModels({
      models: [spec].flat(),
      baseUrl: provider.url,
      apiKey: 'key-of-compatible',
      openaiApiKey: 'key-of-openai',
      anthropicApiKey: 'key-of-anthropic',
      openaiBaseUrl: provider.url,
      anthropicBaseUrl: provider.url,
      timeoutMs: 3_000,
      ...more,
    });
  const ask = (
    models = modelsOf(),
    more: { model?: string; signal?: AbortSignal; prompt?: Prompt; maxTokens?: number } = {},
  ) =>
    models.answer({
      model: 'm',
      prompt,
      temperature: 0.5,
      maxTokens: 300,
      signal: new AbortController().signal,
      ...more,
    });
  const failureOf = async (behaviour: Behaviour, models = modelsOf()): Promise<ModelError> => {
    provider.behave(behaviour);
    const error: unknown = await ask(models).catch((thrown: unknown) => thrown);
    if (!(error instanceof ModelError)) throw new Error('It was no ModelError.', { cause: error });
    return error;
  };
  return { modelsOf, ask, failureOf };
}
