import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../domain/error.ts';
import type { RawInput } from './parse-input.ts';

/** Printable ASCII, which is what a header can hold everywhere. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** Far deeper than any of our descriptions. */
const MAX_DEPTH = 32;

/** Undefined when the request has none. An empty one is refused: whoever sends it believes to be safe. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  throw invalid({ pointer: 'header/Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' });
}

/**
 * The request as one string, whatever its white space and the order of its fields. It is what came in, not what our schemas
 * make of it: with the defaults of another version of the engine a repeated request would be another one.
 */
export function canonicalRequest(raw: RawInput): string {
  return JSON.stringify([raw.params, raw.query, raw.body].map((part) => sorted(part, 0)));
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH)
    throw invalid({ pointer: '', message: `must not be nested deeper than ${MAX_DEPTH} levels` });
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner, depth + 1)]));
}
