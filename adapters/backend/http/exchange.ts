import type { Dispatcher } from 'undici';
import type { Deadline } from './deadline.ts';
import type { JsonFile } from './json-body.ts';

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean>;
  body?: Record<string, unknown>;
  /** A file that stands in the body as `file`. */
  file?: JsonFile | undefined;
  accept?: string;
  /** An answer longer than this breaks the call. */
  maxBytes?: number;
  /**
   * Takes what is answered piece by piece, and is waited for before more is read; the answer's body is then empty. If it
   * throws, the call is broken off.
   */
  into?: (chunk: Buffer) => Promise<void>;
  timeoutMs: number;
  /** Breaks the call when nothing comes for so long: no answer, or no further piece of it. */
  idleMs?: number;
  /** The first byte must be written by then; a call that still waits for a connection is not made. */
  beginBy?: Deadline | undefined;
  signal?: AbortSignal | undefined;
}

/** The end of one request. `written` is false only when no byte of the request can have left this process. */
export type HttpResult = HttpAnswer | HttpFailure;

export interface HttpAnswer {
  kind: 'answer';
  status: number;
  /** The `date` header. */
  date: string | null;
  body: Buffer;
}

export interface HttpFailure {
  kind: 'failure';
  written: boolean;
  cause: FailureCause;
}

export type FailureCause =
  | 'connection_refused'
  | 'connect_timeout'
  | 'dns_error'
  | 'connection_broken'
  | 'answer_too_long'
  | 'timeout'
  | 'aborted'
  /** Many calls before got no connection, so this one was not tried. */
  | 'server_away';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/**
 * Bounds how much of an error answer is read, because it tells what is wrong before it echoes the request, which may be
 * a file (`docs/extend/backend.md#errors`, 2).
 */
const ERROR_ANSWER_BYTES = 64 * 1024;

const CAUSES: Record<string, FailureCause> = {
  ECONNREFUSED: 'connection_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ENOTFOUND: 'dns_error',
  EAI_AGAIN: 'dns_error',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
};

/**
 * One request on its way. undici calls `onRequestStart` immediately before it writes the first byte to a connected
 * socket: before that call the request is certainly not sent, and after the call it may have been.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<HttpResult>;
  readonly #settle: (result: HttpResult) => void;
  #settled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #date: string | null = null;
  #bytes = 0;
  readonly #chunks: Buffer[] = [];

  readonly #beginBy: Deadline | undefined;
  readonly #maxBytes: number;
  readonly #into: ((chunk: Buffer) => Promise<void>) | undefined;
  #written: Promise<void> = Promise.resolve();

  constructor({ beginBy, maxBytes = MAX_ANSWER_BYTES, into }: Pick<HttpRequest, 'beginBy' | 'maxBytes' | 'into'>) {
    this.#beginBy = beginBy;
    this.#maxBytes = maxBytes;
    this.#into = into;
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    this.result = promise;
    this.#settle = (result) => {
      this.#settled = true;
      resolve(result);
    };
  }

  /** Gives up at once. By itself undici would let a request go on waiting for a connection. */
  cancel(cause: 'timeout' | 'aborted' | 'connection_broken' | 'answer_too_long'): void {
    if (this.#settled) return;
    this.#settle({ kind: 'failure', written: this.#controller !== null, cause });
    this.#controller?.abort(new Error(cause));
  }

  cancelUnlessBegun(): void {
    if (this.#controller === null) this.cancel('timeout');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#beginBy?.isPast()) this.cancel('timeout');
    if (this.#settled) controller.abort(new Error('cancelled before it was written'));
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    const { date } = headers;
    this.#status = status;
    this.#date = typeof date === 'string' ? date : null;
    // Cancel a response at once that announces too many bytes.
    if (status < 400 && Number(headers['content-length'] ?? 0) > this.#maxBytes) this.cancel('answer_too_long');
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // undici hands over an empty one when it resumes, which would pause it again for ever.
    if (chunk.length === 0) return;
    if (this.#status >= 400) this.#keepFirst(chunk, ERROR_ANSWER_BYTES);
    else if (this.#bytes + chunk.length > this.#maxBytes) this.cancel('answer_too_long');
    else if (this.#into) this.#pass(controller, chunk, this.#into);
    else this.#keepFirst(chunk, this.#maxBytes);
  }

  /** Reads no more from the connection until the chunk has been taken, so that a slow disk fills no memory. */
  #pass(controller: Dispatcher.DispatchController, chunk: Buffer, into: (chunk: Buffer) => Promise<void>): void {
    this.#bytes += chunk.length;
    controller.pause();
    this.#written = this.#written
      .then(() => into(chunk))
      .then(
        () => controller.resume(),
        () => this.cancel('aborted'),
      );
  }

  #keepFirst(chunk: Buffer, maxBytes: number): void {
    const kept = chunk.subarray(0, maxBytes - this.#bytes);
    if (kept.length === 0) return;
    this.#bytes += kept.length;
    this.#chunks.push(kept);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    const answer = { kind: 'answer' as const, status: this.#status, date: this.#date };
    if (!this.#into) return this.#settle({ ...answer, body: Buffer.concat(this.#chunks) });
    void this.#written.then(() => {
      if (!this.#settled) this.#settle({ ...answer, body: Buffer.concat(this.#chunks) });
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    this.#settle({ kind: 'failure', written: this.#controller !== null, cause: CAUSES[code] ?? 'connection_broken' });
  }
}
