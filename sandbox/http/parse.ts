import type { z } from 'zod';
import { badRequest } from './failures.ts';

/** Parses what the real backend validates; its 400 lists one sentence per problem. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badRequest(parsed.error.issues.map(sentenceOf));
}

/** The real one's sentences begin with the field's name. */
function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const field = path.join('.');
  return message.startsWith(field) ? message : `${field}: ${message}`;
}
