import { channel } from 'node:diagnostics_channel';
import type { Dispatcher } from 'undici';
import { networkFailureOf } from './network-failure.ts';
import type { NetworkFailure } from './network-failure.ts';

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** From the first look-up to the last byte: a receiver that drips cannot hold a slot longer. */
  timeoutMs: number;
}

export interface PostTimings {
  durationMs: number;
  /** Until the connection was there; 0 on one that was there already, null where it did not come to that. */
  connectMs: number | null;
  /** Until the headers of the answer. */
  firstByteMs: number | null;
  /** It went over a connection that had been used before. */
  reused: boolean;
}

export type PostAnswer = PostTimings &
  (
    | {
        outcome: 'answered';
        status: number;
        retryAfter: string | null;
        location: string | null;
        /** The first bytes of the body, undecoded. */
        bytes: Buffer;
      }
    | { outcome: 'failed'; failure: NetworkFailure }
  );

/** Keeps so much of an answer's body. A little more is read, so that the connection of a short answer can be reused. */
const KEPT_BYTES = 16_384;
const READ_BYTES = 65_536;
/** Once its headers are there an answer is known: its body gets this long to come, and then only its beginning is kept. */
const BODY_MS = 1_000;

const used = new WeakSet<object>();
/** Hears over which connection the request goes that has just been started. */
let onConnection: ((wasUsed: boolean) => void) | null = null;
// Published right after `onRequestStart`, before the first byte is written.
channel('undici:client:sendHeaders').subscribe((message) => {
  const socket: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'socket') : null;
  if (typeof socket !== 'object' || socket === null) return;
  onConnection?.(used.has(socket));
  onConnection = null;
  used.add(socket);
});

/**
 * One POST without redirects, under a deadline for all of it. Never throws. The dispatcher is undici's own interface, which
 * says when a connection is there; bytes are left as they come, so nothing inflates.
 */
export function post(dispatcher: Dispatcher, { url, headers, body, timeoutMs }: PostRequest): Promise<PostAnswer> {
  const { promise, resolve } = Promise.withResolvers<PostAnswer>();
  const startedAt = performance.now();
  const chunks: Buffer[] = [];
  let controller: Dispatcher.DispatchController | undefined;
  let settled = false;
  let reused = false;
  let connectMs: number | null = null;
  let firstByteMs: number | null = null;
  let size = 0;
  let head: { status: number; retryAfter: string | null; location: string | null } | undefined;
  let timer = setTimeout(() => giveUp('timeout'), timeoutMs);

  function settle(failure: NetworkFailure | null): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    const durationMs = performance.now() - startedAt;
    const timings = { durationMs, connectMs, firstByteMs, reused };
    if (!head) resolve({ outcome: 'failed', failure: failure ?? 'network_error', ...timings });
    else resolve({ outcome: 'answered', ...head, bytes: Buffer.concat(chunks).subarray(0, KEPT_BYTES), ...timings });
  }

  /** Settles and closes the connection, now or as soon as it is there. */
  function giveUp(failure: NetworkFailure): void {
    settle(failure);
    controller?.abort(new Error('The answer is not waited for any longer.'));
  }

  try {
    const { origin, pathname, search } = new URL(url);
    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started;
          if (settled) {
            started.abort(new Error('The deadline is over.'));
            return;
          }
          connectMs = performance.now() - startedAt;
          onConnection = (wasUsed) => {
            reused = wasUsed;
            if (wasUsed) connectMs = 0;
          };
        },
        onResponseStart(_controller, status, fields) {
          if (status < 200 || settled) return;
          firstByteMs = performance.now() - startedAt;
          head = { status, retryAfter: one(fields['retry-after']), location: one(fields['location']) };
          clearTimeout(timer);
          timer = setTimeout(() => giveUp('timeout'), Math.min(BODY_MS, timeoutMs - firstByteMs));
        },
        onResponseData(_controller, chunk) {
          if (settled) return;
          if (size < KEPT_BYTES) chunks.push(chunk);
          size += chunk.length;
          if (size > READ_BYTES) giveUp('timeout');
        },
        onResponseEnd: () => settle(null),
        // After the headers the answer counts as it is.
        onResponseError: (_controller, error) => settle(networkFailureOf(error)),
      },
    );
  } catch (error) {
    settle(networkFailureOf(error));
  }
  return promise;
}

function one(field: string | string[] | undefined): string | null {
  return (Array.isArray(field) ? field[0] : field) ?? null;
}
