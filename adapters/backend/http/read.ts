import type { z } from 'zod';
import { isSuccess, jsonOf } from './answer.ts';
import type { HttpAnswer } from './exchange.ts';
import type { Http } from './http.ts';
import type { HttpRequest } from './exchange.ts';
import { refused, unreachable, unreadable } from './refusal.ts';

/**
 * Calls on a session that is not WORKING block up to 10 s before they are refused (`docs/extend/backend.md#errors`, 3).
 */
export const READ_TIMEOUT_MS = 15_000;

/** The backend waits 5 s for a session's lock and holds it up to 30 s (`docs/extend/backend.md#sessions`, 1). */
export const LIFECYCLE_TIMEOUT_MS = 45_000;

/** A call whose failure becomes an error for the caller. `doing` completes "the backend could not ...". */
export type Ask = HttpRequest & { doing: string };

/** Returns the answer whatever its status is, and throws only when there is no answer. */
export async function answerTo(http: Http, ask: Ask): Promise<HttpAnswer> {
  const result = await http.call(ask);
  if (result.kind === 'failure') throw unreachable(result, ask.doing);
  return result;
}

export function parseAnswer<S extends z.ZodType>(answer: HttpAnswer, schema: S, doing: string): z.output<S> {
  if (!isSuccess(answer)) throw refused(answer, doing);
  const parsed = schema.safeParse(jsonOf(answer.body));
  if (!parsed.success) throw unreadable(doing);
  return parsed.data;
}

export async function read<S extends z.ZodType>(http: Http, schema: S, ask: Ask): Promise<z.output<S>> {
  return parseAnswer(await answerTo(http, ask), schema, ask.doing);
}
