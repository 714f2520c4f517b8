import { randomUUID } from 'node:crypto';
import type { CompletionRequest } from './request.ts';

export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** Estimates tokens: a word is about a token and a third, and nobody is billed by this number. */
const tokens = (text: string): number => Math.ceil((text.split(/\s+/).filter(Boolean).length * 4) / 3);

/** Makes the body of a chat completion; a refusal stands in a field of its own instead of the content. */
export function completion(
  request: CompletionRequest,
  content: string | null,
  toolCalls: readonly ToolCall[] = [],
  refusal: string | null = null,
) {
  const prompt = tokens(JSON.stringify(request.messages));
  const answer = tokens(content ?? JSON.stringify(toolCalls));
  return {
    id: `chatcmpl-sandbox-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal,
          ...(toolCalls.length > 0 && {
            tool_calls: toolCalls.map((call) => ({
              id: `call_${randomUUID()}`,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.arguments) },
            })),
          }),
        },
        finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer },
  };
}
