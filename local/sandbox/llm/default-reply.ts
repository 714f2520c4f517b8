import { fitSchema } from './fit-schema.ts';
import { lastUserText } from './request.ts';
import type { CompletionRequest } from './request.ts';

const QUOTED = 300;

/** Makes the model's answer when no script gives one; the same question always gets the same answer. */
export function defaultReply(request: CompletionRequest): string {
  const asked = lastUserText(request).trim().slice(0, QUOTED);
  const text = `(sandbox model) Thanks for your message! You wrote: "${asked}". How can I help you next?`;
  const format = request.response_format;
  if (format?.type === 'json_schema') return JSON.stringify(fitSchema(format.json_schema?.schema ?? {}, text));
  return format?.type === 'json_object' ? JSON.stringify({ reply: text }) : text;
}
