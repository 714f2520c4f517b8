import { z } from 'zod';
import type { HttpAnswer } from './exchange.ts';

export function isSuccess(answer: HttpAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** Parses a body: undefined when it is not JSON, and null when it is empty, which is how the backend says "nothing". */
export function jsonOf(body: Buffer): unknown {
  if (body.length === 0) return null;
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}

const Words = z
  .union([z.string(), z.array(z.unknown()).transform((parts) => parts.join(' '))])
  .nullable()
  .catch(null);

const ErrorBody = z
  .object({
    exception: z.object({ message: Words }).nullable().catch(null),
    message: Words,
    error: Words,
    status: z.string().nullable().catch(null),
    expected: z.array(z.unknown()).nullable().catch(null),
  })
  .catch({ exception: null, message: null, error: null, status: null, expected: null });

export interface ErrorWords {
  /** The text is for matching only. It may hold a contact's words or a stack, so it never leaves this folder. */
  text: string;
  /** True when the engine below wrote the error, not the HTTP layer around it. */
  fromEngine: boolean;
  /** True for the body that the backend sends when a session is not in the expected status. */
  wrongStatus: boolean;
}

/** Reads an error in any of the backend's three shapes (`docs/extend/backend.md#errors`, 1). */
export function errorWordsOf(answer: HttpAnswer): ErrorWords {
  const body = ErrorBody.parse(jsonOf(answer.body) ?? jsonOf(withoutEcho(answer.body)));
  return {
    text: body.exception?.message ?? body.message ?? body.error ?? '',
    fromEngine: body.exception !== null,
    wrongStatus: body.status !== null && body.expected !== null,
  };
}

/**
 * Takes the part of an error before its echo of the request, because a long answer is cut inside that echo. The mark
 * cannot stand inside a string, where quotes are escaped.
 */
function withoutEcho(body: Buffer): Buffer {
  const end = body.indexOf(',"request":');
  return end < 0 ? body : Buffer.concat([body.subarray(0, end), Buffer.from('}')]);
}
