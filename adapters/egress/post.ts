import { Agent, Client, Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { postFailureOf } from './network-failure.ts';
import type { PostFailure } from './network-failure.ts';

export interface PostRequest {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /**
   * Bounds the whole request, from the first look-up to the last byte, so that a receiver that drips cannot hold a slot
   * longer.
   */
  timeoutMs: number;
  /** Posts over a new connection, because the kept ones may be stale. */
  fresh?: boolean;
}

export interface PostTimings {
  durationMs: number;
  /** The time until the connection was open: 0 if it was open already, null if it never opened. */
  connectMs: number | null;
  /** The time until the headers of the answer came; null if none came. */
  firstByteMs: number | null;
  /** True when the request went over a connection that had been used before. */
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
    | { outcome: 'failed'; failure: PostFailure }
  );

/** This much of an answer's body is kept. A little more is read, so that the connection of a short answer can be reused. */
const KEPT_BYTES = 16_384;
const READ_BYTES = 65_536;
/** An answer is known once its headers are there. Its body gets this long to come; after that its beginning is kept. */
const BODY_MS = 1_000;

/** Posts over connections of its own, and knows of each connection whether it had been used before. */
export class Poster {
  readonly #kept: Agent;
  readonly #fresh: Agent;
  readonly #userAgent: string;

  constructor(options: Client.Options, userAgent: string) {
    this.#userAgent = userAgent;
    this.#kept = agentOf(options);
    this.#fresh = agentOf({ ...options, pipelining: 0 });
  }

  /**
   * Makes one POST without redirects, under a deadline for all of it. Never throws: a failure is answered with its
   * class. With `fresh` the request goes over a new connection.
   */
  post({ url, headers, body, timeoutMs, fresh = false }: PostRequest): Promise<PostAnswer> {
    const posting = new Posting(timeoutMs);
    try {
      const { origin, pathname, search } = new URL(url);
      const target = { origin, path: pathname + search, method: 'POST' } as const;
      const message = { headers: { 'user-agent': this.#userAgent, ...headers }, body };
      const agent = fresh ? this.#fresh : this.#kept;
      agent.dispatch({ ...target, ...message, headersTimeout: 0, bodyTimeout: 0 }, posting);
    } catch (error) {
      posting.settle(postFailureOf(error));
    }
    return posting.answer;
  }

  async close(): Promise<void> {
    await Promise.all([this.#kept.close(), this.#fresh.close()]);
  }
}

function agentOf(options: Client.Options): Agent {
  const factory = (origin: string | URL): Pool =>
    new Pool(origin, { ...options, factory: (url) => new Connection(url, options) });
  return new Agent({ ...options, factory });
}

/** A client of undici has one connection at a time, and makes another when that one has ended. */
class Connection extends Client {
  #isUsed = false;

  constructor(origin: URL, options: Client.Options) {
    super(origin, options);
    this.on('connect', () => {
      this.#isUsed = false;
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof Posting) handler.connection = this;
    return super.dispatch(options, handler);
  }

  /** Returns whether something had gone over the connection before. */
  use(): boolean {
    const wasUsed = this.#isUsed;
    this.#isUsed = true;
    return wasUsed;
  }
}

/**
 * One request on its way. Undici's own interface tells it of its connection and of each part of the answer, and leaves
 * bytes as they come, so nothing inflates.
 */
class Posting implements Dispatcher.DispatchHandler {
  readonly answer: Promise<PostAnswer>;
  connection: Connection | null = null;
  readonly #resolve: (answer: PostAnswer) => void;
  readonly #startedAtMs = performance.now();
  readonly #timeoutMs: number;
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #reused = false;
  #connectMs: number | null = null;
  #firstByteMs: number | null = null;
  #sizeBytes = 0;
  #head: Pick<PostAnswer & { outcome: 'answered' }, 'status' | 'retryAfter' | 'location'> | null = null;

  constructor(timeoutMs: number) {
    const { promise, resolve } = Promise.withResolvers<PostAnswer>();
    this.answer = promise;
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(() => this.#giveUp('timeout'), timeoutMs);
  }

  /** Resolves with the answer as far as it has come if its headers are there, else with this failure. */
  settle(failure: PostFailure): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    const timings = {
      durationMs: this.#sinceStartMs(),
      connectMs: this.#connectMs,
      firstByteMs: this.#firstByteMs,
      reused: this.#reused,
    };
    if (this.#head === null) this.#resolve({ outcome: 'failed', failure, ...timings });
    else {
      const bytes = Buffer.concat(this.#chunks).subarray(0, KEPT_BYTES);
      this.#resolve({ outcome: 'answered', ...this.#head, bytes, ...timings });
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) {
      controller.abort(new Error('The deadline was over before there was a connection.'));
      return;
    }
    this.#reused = this.connection?.use() ?? false;
    this.#connectMs = this.#reused ? 0 : this.#sinceStartMs();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    fields: Record<string, string | string[] | undefined>,
  ): void {
    // Informational answers (1xx) come before the real answer.
    if (status < 200 || this.#isSettled) return;
    this.#firstByteMs = this.#sinceStartMs();
    this.#head = { status, retryAfter: one(fields['retry-after']), location: one(fields['location']) };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#giveUp('timeout'), Math.min(BODY_MS, this.#timeoutMs - this.#firstByteMs));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    if (this.#sizeBytes < KEPT_BYTES) this.#chunks.push(chunk);
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > READ_BYTES) this.#giveUp('timeout');
  }

  onResponseEnd(): void {
    this.settle('network_error');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(postFailureOf(error));
  }

  /** Settles, and closes the connection now or as soon as it is open. */
  #giveUp(failure: PostFailure): void {
    this.settle(failure);
    this.#controller?.abort(new Error('The answer is not waited for any longer.'));
  }

  #sinceStartMs(): number {
    return performance.now() - this.#startedAtMs;
  }
}

function one(field: string | string[] | undefined): string | null {
  return (Array.isArray(field) ? field[0] : field) ?? null;
}
