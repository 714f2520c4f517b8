import { z } from 'zod';
import type { HttpAnswer } from './exchange.ts';

export function isSuccess(answer: HttpAnswer): boolean {
  return answer.status >= 200 && answer.status < 300;
}

/** Parses a body: undefined when it is not JSON, null when there is none, which is how the backend says "nothing". */
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
  /** The text is for matching only: it may hold a person's words or a stack, so it never leaves this folder. */
  text: string;
  /** Whether the engine below answered, and not the HTTP layer around it. */
  fromEngine: boolean;
  /** The body that a session outside its expected status gives. */
  wrongStatus: boolean;
}

/** The backend has three shapes of errors (`docs/backend.md#errors`, 1). */
export function errorWordsOf(answer: HttpAnswer): ErrorWords {
  const body = ErrorBody.parse(jsonOf(answer.body) ?? jsonOf(withoutEcho(answer.body)));
  return {
    text: body.exception?.message ?? body.message ?? body.error ?? '',
    fromEngine: body.exception !== null,
    wrongStatus: body.status !== null && body.expected !== null,
  };
}

/** Takes what comes before the echo of the request, in which the answer was cut. Inside a string the quotes are escaped. */
function withoutEcho(body: Buffer): Buffer {
  const end = body.indexOf(',"request":');
  return end < 0 ? body : Buffer.concat([body.subarray(0, end), Buffer.from('}')]);
}
