import { EngineError } from './errors.ts';
import type { Problem } from './generated/types.ts';
import { readRetryAfter } from './retry.ts';

export interface Attempt {
  fetch: typeof globalThis.fetch;
  url: string;
  init: RequestInit;
  timeoutMs: number;
  signal: AbortSignal | undefined;
  /** The answer's body is left to the caller, who may read it as long as it takes. */
  isFile: boolean;
  idempotencyKey: string | undefined;
}

export interface Answer {
  response: Response;
  /** Empty for files. */
  text: string;
}

/** Makes one request. Throws EngineError for everything but a good answer, and the reason of the signal when that is aborted. */
export async function attempt({
  fetch,
  url,
  init,
  timeoutMs,
  signal,
  isFile,
  idempotencyKey,
}: Attempt): Promise<Answer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const response = await fetch(url, {
      ...init,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    });
    if (isFile && response.ok) return { response, text: '' };
    const text = await response.text();
    if (!response.ok) throw refusal(response, text, idempotencyKey);
    return { response, text };
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    signal?.throwIfAborted();
    const [origin = 'The engine'] = /^https?:\/\/[^/]+/.exec(url) ?? [];
    if (late.signal.aborted) {
      throw new EngineError('timed_out', `${origin} has not answered within ${timeoutMs} ms.`, {
        cause,
        idempotencyKey,
      });
    }
    throw new EngineError('unreachable', `${origin} cannot be reached.`, { cause, idempotencyKey });
  } finally {
    clearTimeout(timer);
  }
}

function refusal(response: Response, text: string, idempotencyKey: string | undefined): EngineError {
  const { status, headers } = response;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  const { code, detail, ...problem } = problemIn(text);
  if (code === undefined || detail === undefined) {
    return unexpected(response, { retryAfterMs, idempotencyKey });
  }
  return new EngineError(code, detail, { ...problem, status, retryAfterMs, idempotencyKey });
}

/** Returns the error for a response that came from no engine, but from a proxy or another server. */
export function unexpected(
  { status, headers }: Response,
  facts: Pick<Attempt, 'idempotencyKey'> & { retryAfterMs?: number | undefined },
): EngineError {
  const requestId = headers.get('x-request-id');
  const type = headers.get('content-type') ?? 'no content type';
  return new EngineError('unexpected_answer', `No engine answers like this: ${status}, ${type}.`, {
    status,
    ...facts,
    ...(requestId === null ? {} : { requestId }),
  });
}

function problemIn(text: string): Partial<Problem> {
  try {
    const problem: Partial<Problem> | null = JSON.parse(text);
    return typeof problem?.code === 'string' ? problem : {};
  } catch {
    return {};
  }
}
