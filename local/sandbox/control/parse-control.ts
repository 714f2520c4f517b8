import { z } from 'zod';
import { badRequest } from '../http/failures.ts';
import { parse } from '../http/parse.ts';

/** The body of a request without content. */
export const Nothing = z.object({});

/** Parses the body of a control route. A field that nobody reads is refused: it is misspelt, and would do nothing. */
export function parseControl<T extends z.ZodObject>(schema: T, body: unknown): z.infer<T> {
  return parseNamed(schema, body, 'field');
}

/** Parses the query of a control route, in which the key may stand; of a repeated parameter the first value counts. */
export function parseQuery<T extends z.ZodObject>(
  schema: T,
  { 'x-api-key': _key, ...query }: Readonly<Record<string, string | string[] | undefined>>,
): z.infer<T> {
  const given = Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value] as const);
  return parseNamed(schema, Object.fromEntries(given), 'parameter');
}

function parseNamed<T extends z.ZodObject>(schema: T, value: unknown, what: 'field' | 'parameter'): z.infer<T> {
  const given = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const missing = Object.entries(schema.shape)
    .filter(([name, field]) => !given.includes(name) && !field.safeParse(undefined).success)
    .map(([name]) => `${name} is missing.`);
  const known = Object.keys(schema.shape);
  const has = known.length === 0 ? 'which has none' : `which has: ${known.join(', ')}`;
  const unread = given
    .filter((name) => !known.includes(name))
    .map((name) => `${name} is not a ${what} of this request, ${has}.`);
  if (missing.length + unread.length > 0) throw badRequest([...missing, ...unread]);
  return parse(schema, value);
}
