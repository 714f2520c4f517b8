import type { LanguageModel, ModelMessage } from 'ai';
import type { z } from 'zod';
import type { PromptMessage } from '../../domain/agent/prompt/context.ts';

export interface WrittenRequest {
  model: LanguageModel;
  instructions: string;
  messages: readonly PromptMessage[];
  temperature: number;
  maxTokens: number;
  /** Null leaves the effort to the model. */
  reasoningEffort: string | null;
  /** The form of the answer; null leaves it to the instructions. */
  schema: z.ZodType | null;
  signal: AbortSignal;
}

export interface WrittenAnswer {
  text: string;
  /** True when the model had more to say than it was allowed to. */
  cutOff: boolean;
  inputTokens: number | null;
  outputTokens: number | null;
  /** True when the provider kept the answer back. */
  isFiltered: boolean;
}

interface Generated {
  text: string;
  finishReason: string;
  usage: { inputTokens: number | undefined; outputTokens: number | undefined };
}

/**
 * Makes one request and never repeats it, because retries belong to Temporal. The caller reads what the answer says.
 */
export async function requestAnswer(request: WrittenRequest): Promise<WrittenAnswer> {
  const { text, finishReason, usage } = await generate(request);
  return {
    text,
    cutOff: finishReason === 'length',
    isFiltered: finishReason === 'content-filter',
    inputTokens: usage.inputTokens ?? null,
    outputTokens: usage.outputTokens ?? null,
  };
}

async function generate(request: WrittenRequest): Promise<Generated> {
  // An engine whose agent is not used does without the library's memory.
  const { generateText, NoObjectGeneratedError, Output } = await import('ai');
  // The library would write its warnings to the console.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    return await generateText({
      model: request.model,
      instructions: request.instructions,
      messages: request.messages.map(asModelMessage),
      temperature: request.temperature,
      maxOutputTokens: request.maxTokens,
      maxRetries: 0,
      abortSignal: request.signal,
      ...(request.reasoningEffort !== null && {
        providerOptions: {
          openai: { reasoningEffort: request.reasoningEffort },
          openaiCompatible: { reasoningEffort: request.reasoningEffort },
        },
      }),
      ...(request.schema && { output: Output.object({ schema: request.schema, name: 'answer' }) }),
    });
  } catch (error) {
    if (!NoObjectGeneratedError.isInstance(error)) throw error;
    const { text = '', finishReason = 'other', usage } = error;
    return { text, finishReason, usage: { inputTokens: usage?.inputTokens, outputTokens: usage?.outputTokens } };
  }
}

function asModelMessage({ role, content, media }: PromptMessage): ModelMessage {
  if (role === 'assistant' || media.length === 0) return { role, content };
  const files = media.map(({ mimeType, bytes }) => ({
    type: 'file' as const,
    data: bytes,
    mediaType: mimeType === 'audio/ogg' ? 'audio/mpeg' : mimeType,
  }));
  return { role, content: [{ type: 'text', text: content }, ...files] };
}
