import { ZodError } from 'zod';

/** PostgreSQL's errors about the data itself: it cannot store a value, a value is too complex, or a check refuses it. */
const OF_DATA = /^(?:22\w{3}|54\w{3}|23502|23514)$/;

/** Tells whether each repetition has the same error. Its class or its code says so, never its words. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof ZodError || error instanceof RangeError || error instanceof URIError) return true;
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' && OF_DATA.test(code);
}
