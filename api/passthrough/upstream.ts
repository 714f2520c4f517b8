import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { Pool, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { EngineError } from '../../domain/error.ts';
import { HELD } from '../wire/held.ts';
import { cutWhenIdle } from '../wire/idle.ts';
import { cutSlowReader } from '../wire/pace.ts';
import { cleanError } from './clean-error.ts';
import { End } from './end.ts';
import { jsonOf } from './json.ts';

export interface UpstreamRequest {
  baseUrl: string;
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body: string | Readable | null;
  /** True where the engine does not know whether the backend has the route. */
  isUnlisted?: boolean;
}

export interface UpstreamLimits {
  /** The whole request with its answer; a change may take longer than a read, because it may bring a file. */
  readMs: number;
  changeMs: number;
  /** A part of an answer must be taken by its reader within this time. */
  idleMs: number;
}

export interface Upstream {
  /** Streams the backend's answer to the client and returns its status; `opened` is called once the head is written. */
  stream(request: UpstreamRequest, response: ServerResponse, opened: () => void): Promise<number>;
  /** Reads the backend's answer as a whole. It goes on when the client leaves, because the backend goes on, too. */
  fetch(request: UpstreamRequest): Promise<{ status: number; headers: Record<string, string>; body: Buffer }>;
  close(): Promise<void>;
}

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

/** Reads have connections of their own, so that changes that hang hold up none of them. */
const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 256 * 1_048_576;
/** An answer that is read as a whole tells of one message or one session. */
const MAX_READ_BYTES = 1_048_576;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

export function createUpstream(limits: UpstreamLimits): Upstream {
  const pools = new Map<string, Pools>();

  function poolFor({ method, baseUrl }: UpstreamRequest): { pool: Pool; prefix: string; withinMs: number } {
    const { reads, changes, prefix } = pools.get(baseUrl) ?? createPools(baseUrl);
    if (!pools.has(baseUrl)) pools.set(baseUrl, { reads, changes, prefix });
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead
      ? { pool: reads, prefix, withinMs: limits.readMs }
      : { pool: changes, prefix, withinMs: limits.changeMs };
  }

  return {
    async stream(request, response, opened) {
      const { pool, prefix, withinMs } = poolFor(request);
      const end = new End(withinMs);
      response.once('close', () => {
        if (!response.writableFinished) end.abort();
      });
      let status = 0;
      let failed: Collected | undefined;
      try {
        // The client may have left before there was anything to wait for.
        if (response.destroyed) throw new Error('The client left.');
        await pool.stream(optionsOf(request, prefix, end), (answer) => {
          status = answer.statusCode;
          if (isRefusedKey(status)) return discard();
          if (isError(status)) {
            failed = new Collected(answerHeaders(answer.headers));
            return failed;
          }
          if (Number(answer.headers['content-length'] ?? 0) > MAX_ANSWER_BYTES) throw tooLong();
          response.writeHead(status, answerHeaders(answer.headers));
          cutWhenIdle(response, limits.idleMs);
          cutSlowReader(response, HELD.media);
          opened();
          return response;
        });
      } catch (error) {
        // The head has been sent, so cutting the connection is the only way left to say that the body is incomplete.
        if (response.headersSent) response.destroy();
        else throw failure(error, end.isLate);
      } finally {
        end.settle();
      }
      if (failed !== undefined) {
        const body = failed.body();
        if (request.isUnlisted === true && isUnknownRoute(status, body)) throw new UnknownAtBackend();
        opened();
        response.writeHead(status, failed.headers);
        response.end(cleanError(body));
        return status;
      }
      if (!response.headersSent) throw new KeyRefused(status);
      return status;
    },

    async fetch(request) {
      const { pool, prefix, withinMs } = poolFor(request);
      const end = new End(withinMs);
      try {
        const answer = await pool.request(optionsOf(request, prefix, end));
        const body = await readWhole(answer.body);
        if (isRefusedKey(answer.statusCode)) throw new KeyRefused(answer.statusCode);
        const { 'content-length': _, ...headers } = answerHeaders(answer.headers);
        return { status: answer.statusCode, headers, body: isError(answer.statusCode) ? cleanError(body) : body };
      } catch (error) {
        throw failure(error, end.isLate);
      } finally {
        end.settle();
      }
    },

    async close() {
      await Promise.all([...pools.values()].flatMap(({ reads, changes }) => [reads.destroy(), changes.destroy()]));
    },
  };
}

function optionsOf(
  { method, path, headers, body }: UpstreamRequest,
  prefix: string,
  signal: End,
): Dispatcher.RequestOptions {
  return { method, path: prefix + path, headers, body, signal };
}

interface Pools {
  reads: Pool;
  changes: Pool;
  prefix: string;
}

function createPools(baseUrl: string): Pools {
  const { origin, pathname } = new URL(baseUrl);
  return { reads: createPool(origin), changes: createPool(origin), prefix: pathname.replace(/\/+$/, '') };
}

function createPool(origin: string): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The request's own deadline bounds all phases, so these two timeouts are off.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function readWhole(body: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    if (!Buffer.isBuffer(part)) continue;
    length += part.length;
    if (length > MAX_READ_BYTES) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function answerHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  // The sandbox keeps a browser from running the backend's answer as a page of the engine's origin. One path means
  // another account with another key, and caches between do not look at the key.
  const kept: Record<string, string> = { 'content-security-policy': 'sandbox', 'cache-control': 'no-store' };
  for (const name of ANSWER_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}

/** The backend refused the engine's own key, so the client is told of a fault of the backend and not of its own key. */
function isRefusedKey(status: number): boolean {
  return status === UNAUTHORIZED || status === FORBIDDEN;
}

/** The backend did nothing, because it did not take the key of the request. */
/** The backend has no such route, either. */
export class UnknownAtBackend extends EngineError {
  constructor() {
    super('unknown_route', 'The backend has no such route, either.');
  }
}

const NOT_FOUND = 404;
const UnknownRoute = z.looseObject({ message: z.string().startsWith('Cannot ') });

/** Tells a route that the backend does not have from a chat or a file that it does not have. */
function isUnknownRoute(status: number, body: Buffer): boolean {
  return status === NOT_FOUND && UnknownRoute.safeParse(jsonOf(body)).success;
}

export class KeyRefused extends EngineError {
  /** True when it does not know the key; a key that it knows does not open what was asked for. */
  readonly isUnknown: boolean;

  constructor(status: number) {
    super('backend_error', 'The backend refused the engine.');
    this.isUnknown = status === UNAUTHORIZED;
  }
}

function tooLong(): EngineError {
  return new EngineError('backend_error', 'The response of the backend is too long.');
}

function failure(cause: unknown, isLate: boolean): EngineError {
  if (cause instanceof EngineError) return cause;
  if (isLate) return new EngineError('backend_timeout', 'The backend did not answer in time.', { cause });
  return cause instanceof errors.HTTPParserError
    ? new EngineError('backend_error', 'The backend responded with something that is not HTTP.', { cause })
    : new EngineError('backend_unreachable', 'The backend cannot be reached.', { cause });
}

function isError(status: number): boolean {
  return status >= 400;
}

/** An error of the backend, which is short and is read as a whole before any of it is shown. */
class Collected extends Writable {
  readonly headers: Record<string, string>;
  readonly #parts: Buffer[] = [];
  #length = 0;

  constructor(answered: Record<string, string>) {
    super();
    const { 'content-length': _, ...headers } = answered;
    this.headers = headers;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#length += chunk.length;
    if (this.#length > MAX_READ_BYTES) return done(tooLong());
    this.#parts.push(chunk);
    done();
  }

  body(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
