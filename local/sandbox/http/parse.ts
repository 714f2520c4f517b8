import type { z } from 'zod';
import { badRequest } from './failures.ts';

/** Parses input that the real backend validates, too; the 400 lists one sentence per problem, as there. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badRequest(parsed.error.issues.map(sentenceOf));
}

/** Makes a sentence that begins with the field's name, as the real backend's sentences do. */
function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  const field = path.join('.');
  return message.startsWith(field) ? message : `${field}: ${message}`;
}
