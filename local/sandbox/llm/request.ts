import { z } from 'zod';

const Content = z.union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))]);

export const CompletionRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: Content.nullish() })).min(1),
  stream: z.boolean().nullish(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }).optional(),
    })
    .nullish(),
});
export type CompletionRequest = z.infer<typeof CompletionRequest>;

/** Returns what the contact said last: the content of the last quoting element, or the whole user text without one. */
export function lastUserText(request: CompletionRequest): string {
  const said = userText(request);
  const quoted = [...said.matchAll(/<([a-z-]+)(?: [^<>]*)?>([^<]*)<\/\1>/g)].at(-1)?.[2];
  return quoted?.replaceAll('&lt;', '<') ?? said;
}

function userText(request: CompletionRequest): string {
  const content = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join(' ');
}

export const wantsJson = (request: CompletionRequest): boolean =>
  request.response_format?.type === 'json_object' || request.response_format?.type === 'json_schema';
