import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { postFailureOf } from './network-failure.ts';
import type { PostFailure } from './network-failure.ts';

export interface CallRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** Bounds the whole request, from the first look-up to the last byte. */
  timeoutMs: number;
  /** A longer answer is refused. */
  maxBytes: number;
}

export type CallAnswer =
  | { outcome: 'answered'; status: number; contentType: string; text: string }
  | { outcome: 'failed'; failure: PostFailure | 'too_large' };

interface Via {
  dispatcher: Dispatcher;
  userAgent: string;
}

/**
 * Makes one request without redirects and reads its answer. Never throws: a failure is answered with its class. The
 * server is asked not to compress, because compressed bytes could grow without limit.
 */
export async function callOnce(
  { method, url, headers, body, timeoutMs, maxBytes }: CallRequest,
  { dispatcher, userAgent }: Via,
): Promise<CallAnswer> {
  try {
    const answer = await request(url, {
      dispatcher,
      method,
      headers: { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' },
      ...(body === null ? {} : { body }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of answer.body) {
      if (!Buffer.isBuffer(chunk)) continue;
      sizeBytes += chunk.length;
      // Leaving the loop destroys the body, and its connection with it.
      if (sizeBytes > maxBytes) return { outcome: 'failed', failure: 'too_large' };
      chunks.push(chunk);
    }
    const { 'content-type': named = '' } = answer.headers;
    const contentType = Array.isArray(named) ? (named[0] ?? '') : named;
    return { outcome: 'answered', status: answer.statusCode, contentType, text: Buffer.concat(chunks).toString() };
  } catch (error) {
    return { outcome: 'failed', failure: postFailureOf(error) };
  }
}
