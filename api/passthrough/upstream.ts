import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Pool, errors } from 'undici';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { EngineError } from '../../domain/error.ts';
import { End } from './request-end.ts';
import { jsonOf } from './json.ts';
import type { BackendMethod } from './table/row.ts';
import { answerHeaders, isError, isRefusedKey, MAX_READ_BYTES, Relay, tooLong, writeAtOnce } from './relay.ts';

export interface UpstreamRequest {
  baseUrl: string;
  method: BackendMethod | 'HEAD';
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

/** Reads have connections of their own, so that changes that hang hold up none of them. */
const CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 5_000;
const UNAUTHORIZED = 401;

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
      const relay = new Relay(response, { end, idleMs: limits.idleMs, opened });
      try {
        // The client may have left before there was anything to wait for.
        if (response.destroyed) throw new Error('The client left.');
        pool.dispatch(optionsOf(request, prefix), relay);
        const relayed = await relay.done;
        const { status, headers, body } = relayed;
        if (body === undefined) return status;
        if (isRefusedKey(status)) throw new KeyRefused(status);
        if (!isError(status)) {
          writeAtOnce(response, relayed, limits.idleMs);
          opened();
          return status;
        }
        if (request.isUnlisted === true && isUnknownRoute(request, status, body)) throw new UnknownAtBackend();
        const { 'content-length': _, ...others } = headers;
        writeAtOnce(response, { status, headers: others, body: cleanError(body) }, limits.idleMs);
        opened();
        return status;
      } catch (error) {
        if (!response.headersSent) throw failure(error, end.isLate);
        // The head has been sent, so cutting the connection is the only way left to say that the body is incomplete.
        response.destroy();
        return response.statusCode;
      } finally {
        end.settle();
      }
    },

    async fetch(request) {
      const { pool, prefix, withinMs } = poolFor(request);
      const end = new End(withinMs);
      try {
        const answer = await pool.request({ ...optionsOf(request, prefix), signal: end });
        if (isRefusedKey(answer.statusCode)) {
          await answer.body.dump();
          throw new KeyRefused(answer.statusCode);
        }
        const body = await readWhole(answer.body);
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

function optionsOf({ method, path, headers, body }: UpstreamRequest, prefix: string): Dispatcher.DispatchOptions {
  return { method, path: prefix + path, headers, body };
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

/** The backend has no such route, either. */
export class UnknownAtBackend extends EngineError {
  constructor() {
    super('unknown_route', 'The backend has no such route, either.');
  }
}

const NOT_FOUND = 404;
const UnknownRoute = z.looseObject({ message: z.string().startsWith('Cannot ') });

/** Tells a route that the backend does not have from a chat or a file that it does not have. A HEAD has no words. */
function isUnknownRoute({ method }: UpstreamRequest, status: number, body: Buffer): boolean {
  return status === NOT_FOUND && (method === 'HEAD' || UnknownRoute.safeParse(jsonOf(body)).success);
}

/** The backend did nothing, because it did not take the key of the request. */
export class KeyRefused extends EngineError {
  /** True when it does not know the key; a key that it knows does not open what was asked for. */
  readonly isUnknown: boolean;

  constructor(status: number) {
    super('backend_error', 'The backend refused the engine.');
    this.isUnknown = status === UNAUTHORIZED;
  }
}

function failure(cause: unknown, isLate: boolean): EngineError {
  if (cause instanceof EngineError) return cause;
  if (isLate) return new EngineError('backend_timeout', 'The backend did not answer in time.', { cause });
  return cause instanceof errors.HTTPParserError
    ? new EngineError('backend_error', 'The backend responded with something that is not HTTP.', { cause })
    : new EngineError('backend_unreachable', 'The backend cannot be reached.', { cause });
}

/** Names of fields that hold nothing but a stack trace. */
const TRACES = /^(?:stack|stackTrace|trace)$/i;
/** No error is nested as deep; a deeper one would overflow the stack. */
const MAX_DEPTH = 64;
/** A line of a stack trace. */
const FRAME = /(?:^|\n)\s+at .*/g;
/** A file of the backend's machine. */
const PATH =
  /(?:file:\/\/)?\/(?:app|usr|home|root|var|opt|tmp|srv|etc|mnt|proc|node_modules)\/[^\s"'`),;]*|(?:file:\/\/)?(?:\/[\w.@-]+)+\.[cm]?[jt]s(?::\d+)*/g;

/**
 * Removes stack traces and paths of the backend's machine from an error, and keeps the rest: tenants need the message,
 * and nobody needs to know how the operator's server looks inside.
 */
function cleanError(body: Buffer): Buffer {
  const json = jsonOf(body);
  const text = json === undefined ? cleanText(body.toString('utf8')) : JSON.stringify(cleaned(json));
  return Buffer.from(text);
}

function cleaned(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((inner) => cleaned(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (TRACES.test(name) ? [] : [[name, cleaned(inner, depth + 1)]])),
  );
}

function cleanText(text: string): string {
  return text.replaceAll(FRAME, '').replaceAll(PATH, '[path]');
}
