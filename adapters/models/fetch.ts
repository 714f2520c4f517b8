import { ModelError } from './error.ts';
import type { ModelErrorCode } from './error.ts';
import { networkFailureOf } from '../egress/network-failure.ts';
import { retryAfterMs } from './retry-after.ts';

/** A reply is a few kilobytes; an endless one must not fill the memory. */
const MAX_ANSWER_BYTES = 1_048_576;
const MAX_REFUSAL_BYTES = 65_536;

/**
 * Calls the network for the providers' libraries. An answer that is not whole ends here as a class of failure, because
 * the libraries would put the request, and so what people wrote, into their errors.
 */
export async function modelFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await unlessBroken(init, () =>
    // A redirect is not followed: some providers' keys stand in headers, which would go to another host.
    fetch(input, { ...init, redirect: 'manual' }),
  );
  if (!response.ok) throw await refusalOf(response);
  const bytes = await unlessBroken(init, () => bytesOf(response, MAX_ANSWER_BYTES));
  if (bytes === null) throw new ModelError('answer_too_large');
  return new Response(bytes, { status: response.status, headers: withoutEncoding(response.headers) });
}

async function unlessBroken<T>(init: RequestInit | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The caller cut the request short and knows why.
    if (init?.signal?.aborted === true) throw error;
    throw new ModelError(networkFailureOf(error) === 'timeout' ? 'timeout' : 'connection_failed');
  }
}

/** Returns null when there are more bytes than `most`. */
async function bytesOf(response: Response, most: number): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop closes the connection.
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Removes the headers of an encoding, because the bytes are decoded already. */
function withoutEncoding(given: Headers): Headers {
  const headers = new Headers(given);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

async function refusalOf(response: Response): Promise<ModelError> {
  const bytes = await bytesOf(response, MAX_REFUSAL_BYTES).catch(() => null);
  return new ModelError(classOf(response.status, bytes?.toString('utf8') ?? ''), {
    retryAfterMs: retryAfterMs(response.status, response.headers),
  });
}

const TOO_LONG =
  /context[_ -]?(length|window)|maximum context|too many (input )?tokens|prompt is too long|input is too long/i;
const FILTERED = /content[_ ](filter|policy|management)|responsible_?ai|moderation|safety/i;
const FORMAT = /response_format|json_schema|output_config|output_format|structured output/i;
const NO_QUOTA = /insufficient_quota|billing|credit balance/i;

/** Finds the class of a refusal by its words, which are only searched and never kept. */
function classOf(status: number, words: string): ModelErrorCode {
  if (status === 429) return NO_QUOTA.test(words) ? 'quota_used_up' : 'rate_limited';
  if (status === 408) return 'timeout';
  if (status >= 500 || status === 409 || status === 425) return 'provider_failed';
  if (status === 402 || NO_QUOTA.test(words)) return 'quota_used_up';
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 413 || TOO_LONG.test(words)) return 'context_too_long';
  if (status !== 400 && status !== 422) return 'request_refused';
  if (FORMAT.test(words)) return 'format_refused';
  return FILTERED.test(words) ? 'refused' : 'request_refused';
}
