import { attempt, unexpected } from './attempt.ts';
import type { Answer } from './attempt.ts';
import { EngineError } from './errors.ts';
import { bodyOfFile } from './files.ts';
import type { GivenFile } from './files.ts';
import { listed } from './listed.ts';
import type { Listed, Page } from './listed.ts';
import type { EngineOptions, WaitOptions } from './options.ts';
import { mayRepeat, pause, pauseAfter } from './retry.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

/** The engine waits as long for a file. */
const FILE_TIMEOUT_MS = 60_000;

/** One route's request. */
export interface Ask {
  method: string;
  path: string;
  query?: object;
  body?: object;
  /** A file that is the whole body. */
  file?: GivenFile;
  /** The parts of the client's agency and tenant that the call uses. */
  takes?: 'tenant' | 'agency';
  /** It takes an `Idempotency-Key`. */
  keyed?: boolean;
  /** It may do something again when it is repeated, so it is only where it was certainly not done. */
  once?: boolean;
  psk?: boolean;
}

/** Makes the requests of all resources. */
export class Caller {
  readonly options: EngineOptions;
  readonly #base: string;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: EngineOptions) {
    const { url = '', fetch = globalThis.fetch, cookie = false } = options;
    if (url === '' && !cookie) throw new TypeError('The url of the engine is missing.');
    this.options = options;
    this.#base = url.replace(/\/+$/, '');
    // Called as a method of something else it would not work in browsers.
    this.#fetch = (input, init) => fetch(input, init);
  }

  async call<T>(ask: Ask, options?: WaitOptions): Promise<T> {
    return bodyOf<T>(await this.#answer(ask, options, false));
  }

  async silent(ask: Ask, options?: WaitOptions): Promise<void> {
    await this.#answer(ask, options, false);
  }

  async file(ask: Ask, options?: WaitOptions): Promise<Response> {
    return (await this.#answer(ask, options, true)).response;
  }

  /** A list, page by page. The rows of a page are found by `rowsOf`. */
  list<P extends Page, T>(ask: Ask, rowsOf: (page: P) => readonly T[], options?: WaitOptions): Listed<P, T> {
    // A pull goes on after the cursor of the page before.
    const name = ask.query && 'after' in ask.query && 'wait' in ask.query ? 'after' : 'cursor';
    return listed(async (cursor) => {
      const query = cursor === undefined ? ask.query : { ...ask.query, [name]: cursor };
      const answer = await this.#answer({ ...ask, ...(query && { query }) }, options, false);
      return { page: bodyOf<P>(answer), nextInHeader: answer.response.headers.get('x-next-cursor') };
    }, rowsOf);
  }

  /** Repeats the request, as long as that is safe and may help. */
  async #answer(ask: Ask, options: WaitOptions = {}, isFile: boolean): Promise<Answer> {
    const given = { ...this.options, ...defined(options) };
    const {
      retries = 3,
      timeoutMs = ask.file ? FILE_TIMEOUT_MS : 30_000,
      deadlineMs = 120_000,
      wait = 0,
      signal,
    } = given;
    const idempotencyKey = options.idempotencyKey ?? (ask.keyed ? newIdempotencyKey() : undefined);
    const request = { url: this.#urlOf(ask), init: this.#initOf(ask, options, idempotencyKey) };
    const until = performance.now() + deadlineMs + wait * 1_000;
    for (let count = 1; ; count += 1) {
      signal?.throwIfAborted();
      const leftMs = until - performance.now();
      try {
        const answer = await attempt({
          ...request,
          fetch: this.#fetch,
          timeoutMs: Math.min(timeoutMs + wait * 1_000, leftMs),
          signal,
          isFile,
          idempotencyKey,
        });
        const { status, headers } = answer.response;
        options.onAnswer?.({ status, headers, requestId: headers.get('x-request-id') });
        return answer;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        error.attempts = count;
        const pauseMs = Math.max(error.retryAfterMs ?? 0, pauseAfter(count));
        if (count > retries || !mayRepeat(error, ask.once) || performance.now() + pauseMs >= until) throw error;
        await pause(pauseMs, signal);
      }
    }
  }

  #urlOf(ask: Ask): string {
    const search = new URLSearchParams();
    const query = ask.body ? ask.query : this.#withTarget(ask.query, ask.takes);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined && value !== null) search.set(name, String(value));
    }
    const text = search.toString();
    return this.#base + ask.path + (text === '' ? '' : `?${text}`);
  }

  /** A call's own agency and tenant win over the client's. */
  #withTarget(input: object | undefined, takes: Ask['takes']): object | undefined {
    const { agencyId, tenantId } = this.options;
    if (takes === undefined || (agencyId === undefined && tenantId === undefined)) return input;
    return { agencyId, ...(takes === 'tenant' ? { tenantId } : {}), ...defined(input ?? {}) };
  }

  #initOf(ask: Ask, options: WaitOptions, idempotencyKey: string | undefined): RequestInit {
    const { key, psk, cookie } = this.options;
    const { wait = 0 } = options;
    const headers: Record<string, string> = { ...this.options.headers, ...options.headers };
    if (ask.psk && psk !== undefined) headers['authorization'] = `PSK ${psk}`;
    else if (key !== undefined) headers['x-api-key'] = key;
    // A form of another site cannot send it.
    if (cookie && ask.method !== 'GET') headers['x-requested-with'] = 'engine-console';
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (wait > 0) headers['prefer'] = `wait=${wait}`;
    const body = this.#withTarget(ask.body, ask.takes);
    const file = ask.file && bodyOfFile(ask.file);
    if (ask.body) headers['content-type'] = 'application/json';
    if (file) headers['content-type'] ??= file.type === '' ? 'application/octet-stream' : file.type;
    return {
      method: ask.method,
      headers,
      // A key must not follow to where a redirect leads.
      redirect: 'manual',
      ...(cookie ? { credentials: 'same-origin' } : {}),
      ...(ask.body ? { body: JSON.stringify(body) } : file ? { body: file } : {}),
    };
  }
}

/** The answer in the words of the document, which the engine's own tests hold it to. */
function bodyOf<T>({ response, text }: Answer): T {
  try {
    const body: T = JSON.parse(text);
    return body;
  } catch {
    throw unexpected(response, { idempotencyKey: undefined });
  }
}

/** Removes undefined fields, so that earlier values stay. */
function defined<T extends object>(input: T): Partial<T> {
  const clean: Partial<T> = { ...input };
  for (const name in clean) if (clean[name] === undefined) delete clean[name];
  return clean;
}
