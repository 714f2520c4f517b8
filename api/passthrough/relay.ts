import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { EngineError } from '../../domain/error.ts';
import { HELD } from '../wire/held.ts';
import { cutWhenIdle } from '../wire/idle.ts';
import { cutSlowReader } from '../wire/pace.ts';
import type { End } from './request-end.ts';

/**
 * The backend's headers that a client sees. Hop-by-hop headers, cookies and headers that name the backend's software
 * are left out.
 */
const ANSWER_HEADERS = [
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'retry-after',
] as const;

const MAX_ANSWER_BYTES = 256 * 1_048_576;
/** An answer that is read as a whole tells of one message, one session or one error. */
export const MAX_READ_BYTES = 1_048_576;
/** Such an answer is collected and written at once, which costs half of a stream. */
const WRITTEN_AT_ONCE_BYTES = 65_536;

/** An answer whose head is in `response` already has no body here. */
export interface Relayed {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

interface Relaying {
  end: End;
  /** A part of an answer must be taken by its reader within this time. */
  idleMs: number;
  /** Called once the head of a stream is written. */
  opened: () => void;
}

/**
 * Takes the backend's answer: a long one streams into the response, and a short one or an error is collected. It is a
 * handler of undici's `dispatch`, because `stream` pipes each answer through a stream of its own.
 */
export class Relay implements Dispatcher.DispatchHandler {
  /** Rejects with what undici tells, or with the engine's error where the answer is too long. */
  readonly done: Promise<Relayed>;
  readonly #settle: PromiseWithResolvers<Relayed>;
  readonly #response: ServerResponse;
  readonly #relaying: Relaying;
  #controller: Dispatcher.DispatchController | undefined;
  #isEnded = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #parts: Buffer[] | undefined;
  #length = 0;

  constructor(response: ServerResponse, relaying: Relaying) {
    this.#response = response;
    this.#relaying = relaying;
    this.#settle = Promise.withResolvers();
    this.done = this.#settle.promise;
    // A client that leaves before the request is made ends what nobody waits for.
    this.done.catch(() => undefined);
    relaying.end.once('abort', () => {
      this.#isEnded = true;
      // A request that waits for a connection ends now, and is not made when it has one.
      this.#settle.reject(left());
      this.#controller?.abort(left());
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isEnded) controller.abort(left());
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An interim answer, such as 103; the answer follows.
    if (status < 200) return;
    this.#status = status;
    this.#headers = answerHeaders(headers);
    const length = Number(headers['content-length'] ?? Number.NaN);
    if (isRefusedKey(status)) {
      // Nobody sees what the backend says of the engine's own key, however long it is.
      this.#settle.resolve({ status, headers: this.#headers, body: Buffer.alloc(0) });
      return controller.abort(left());
    }
    if (length > MAX_ANSWER_BYTES) return controller.abort(tooLong());
    if (isError(status) || length <= WRITTEN_AT_ONCE_BYTES) {
      this.#parts = [];
      return;
    }
    this.#response.writeHead(status, this.#headers);
    this.#relaying.opened();
    cutUnread(this.#response, this.#relaying.idleMs);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#parts !== undefined) {
      this.#length += chunk.length;
      if (this.#length > MAX_READ_BYTES) return controller.abort(tooLong());
      this.#parts.push(chunk);
      return;
    }
    if (this.#response.write(chunk)) return;
    controller.pause();
    this.#response.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    const relayed = { status: this.#status, headers: this.#headers };
    if (this.#parts !== undefined) return this.#settle.resolve({ ...relayed, body: Buffer.concat(this.#parts) });
    this.#response.once('close', () => this.#settle.resolve({ ...relayed, body: undefined }));
    this.#response.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle.reject(error);
  }
}

/** Writes an answer that was collected. Its reader is watched only if the network has not taken all of it at once. */
export function writeAtOnce(response: ServerResponse, { status, headers, body }: Relayed, idleMs: number): void {
  response.writeHead(status, headers);
  response.end(body);
  setImmediate(() => {
    if (!response.writableFinished) cutUnread(response, idleMs);
  });
}

export function answerHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  // The sandbox keeps a browser from running the backend's answer as a page of the engine's origin. One path means
  // another account with another key, and caches between do not look at the key.
  const kept: Record<string, string> = { 'content-security-policy': 'sandbox', 'cache-control': 'no-store' };
  for (const name of ANSWER_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}

const left = (): Error => new Error('The request is late, or its client left.');

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/** The backend refused the engine's own key, so the client is told of a fault of the backend and not of its own key. */
export function isRefusedKey(status: number): boolean {
  return status === UNAUTHORIZED || status === FORBIDDEN;
}

export function isError(status: number): boolean {
  return status >= 400;
}

export function tooLong(): EngineError {
  return new EngineError('backend_error', 'The response of the backend is too long.');
}

function cutUnread(response: ServerResponse, idleMs: number): void {
  cutWhenIdle(response, idleMs);
  cutSlowReader(response, HELD.media);
}
