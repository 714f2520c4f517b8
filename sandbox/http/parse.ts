import type { z } from 'zod';
import { badRequest } from './failures.ts';

/** Parses what the real backend validates; its 400 lists one sentence per problem. */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badRequest(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}
