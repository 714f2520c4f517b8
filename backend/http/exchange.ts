import type { Dispatcher } from 'undici';
import type { Deadline } from './deadline.ts';

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
  | 'timeout'
  | 'aborted'
  /** Many calls before got no connection, so this one was not tried. */
  | 'server_away';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/**
 * Bounds how much of an error answer is read, because it tells what is wrong before it echoes the request, which may be
 * a file (`docs/backend.md#errors`, 2).
 */
const ERROR_ANSWER_BYTES = 64 * 1024;

const CAUSES: Record<string, FailureCause> = {
  ECONNREFUSED: 'connection_refused',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
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

  constructor(beginBy: Deadline | undefined, maxBytes = MAX_ANSWER_BYTES) {
    this.#beginBy = beginBy;
    this.#maxBytes = maxBytes;
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    this.result = promise;
    this.#settle = (result) => {
      this.#settled = true;
      resolve(result);
    };
  }

  /** Gives up at once. By itself undici would let a request go on waiting for a connection. */
  cancel(cause: 'timeout' | 'aborted' | 'connection_broken'): void {
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
    { date }: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status;
    this.#date = typeof date === 'string' ? date : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#status >= 400) this.#keepFirst(chunk, ERROR_ANSWER_BYTES);
    else if (this.#bytes + chunk.length > this.#maxBytes) this.cancel('connection_broken');
    else this.#keepFirst(chunk, this.#maxBytes);
  }

  #keepFirst(chunk: Buffer, maxBytes: number): void {
    const kept = chunk.subarray(0, maxBytes - this.#bytes);
    if (kept.length === 0) return;
    this.#bytes += kept.length;
    this.#chunks.push(kept);
  }

  onResponseEnd(): void {
    if (this.#settled) return;
    this.#settle({ kind: 'answer', status: this.#status, date: this.#date, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    this.#settle({ kind: 'failure', written: this.#controller !== null, cause: CAUSES[code] ?? 'connection_broken' });
  }
}
