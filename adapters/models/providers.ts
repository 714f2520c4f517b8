import type { LanguageModel } from 'ai';
import type { ModelProvider } from '../../domain/agent/model.ts';
import { modelFetch } from './fetch.ts';

export interface ProviderOptions {
  /** The base URL of `openai-compatible`, in the style of OpenAI and ending in `/v1`. */
  baseUrl: string | null;
  apiKey: string | null;
  openaiApiKey?: string | null;
  anthropicApiKey?: string | null;
  /** The base URLs of OpenAI and Anthropic; their own addresses when left out. */
  openaiBaseUrl?: string;
  anthropicBaseUrl?: string;
}

/**
 * Makes each provider at its first use, because its library takes memory that an engine without it does not need. Every
 * base URL is given, because the libraries would otherwise look for it in the environment.
 */
export function createProviders(options: ProviderOptions) {
  const compatible = once(async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'engine',
      baseURL: options.baseUrl ?? '',
      ...(options.apiKey === null ? {} : { apiKey: options.apiKey }),
      supportsStructuredOutputs: true,
      transformRequestBody: withTrueAudioFormats,
      fetch: modelFetch,
    });
  });
  const openai = once(async () => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({
      baseURL: options.openaiBaseUrl ?? 'https://api.openai.com/v1',
      apiKey: options.openaiApiKey ?? '',
      fetch: modelFetch,
    });
  });
  const anthropic = once(async () => {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({
      baseURL: options.anthropicBaseUrl ?? 'https://api.anthropic.com/v1',
      apiKey: options.anthropicApiKey ?? '',
      fetch: modelFetch,
    });
  });
  const models: Readonly<Record<ModelProvider, (id: string) => Promise<LanguageModel>>> = {
    'openai-compatible': async (id) => (await compatible())(id),
    openai: async (id) => (await openai()).chat(id),
    anthropic: async (id) => (await anthropic())(id),
  };
  return (provider: ModelProvider, id: string): Promise<LanguageModel> => models[provider](id);
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/** `OggS` as base64, without the last letter, because that one depends on the bytes that follow. */
const OGG_AS_BASE64 = 'T2dnU';

/**
 * Corrects the format of voice messages. The library knows only two audio formats, so up to here they are declared as
 * MP3.
 */
function withTrueAudioFormats(body: Record<string, unknown>): Record<string, unknown> {
  const messages: unknown = body['messages'];
  if (!Array.isArray(messages)) return body;
  return { ...body, messages: messages.map(withTrueAudio) };
}

function withTrueAudio(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTrueAudio);
  if (typeof value !== 'object' || value === null) return value;
  const isOgg = 'format' in value && 'data' in value && String(value.data).startsWith(OGG_AS_BASE64);
  if (isOgg) return { ...value, format: 'ogg' };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTrueAudio(inner)]));
}
