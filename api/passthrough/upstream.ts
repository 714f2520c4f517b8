import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { Pool, errors } from 'undici';
import { EngineError } from '../../domain/error.ts';

interface UpstreamRequest {
  baseUrl: string;
  path: string;
  headers: Record<string, string>;
}

export interface Upstream {
  /** Streams the backend's answer to the client and returns its status; `opened` is called once the head is written. */
  stream(request: UpstreamRequest, response: ServerResponse, opened: () => void): Promise<number>;
  close(): Promise<void>;
}

/**
 * The backend's headers that a client sees. Hop-by-hop headers, cookies and headers that name the backend's software
 * are left out.
 */
const ANSWER_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'etag',
  'last-modified',
  'retry-after',
] as const;

const CONNECTIONS_PER_BACKEND = 32;
const CONNECT_TIMEOUT_MS = 5_000;

export function createUpstream(deadlineMs: number): Upstream {
  const pools = new Map<string, Pool>();
  return {
    async stream({ baseUrl, path, headers }, response, opened) {
      const base = new URL(baseUrl);
      const pool = pools.get(base.origin) ?? createPool(base.origin);
      pools.set(base.origin, pool);
      const left = new AbortController();
      response.once('close', () => {
        if (!response.writableFinished) left.abort();
      });
      const deadline = AbortSignal.timeout(deadlineMs);
      let status = 0;
      try {
        await pool.stream(
          {
            method: 'GET',
            path: base.pathname.replace(/\/+$/, '') + path,
            headers,
            signal: AbortSignal.any([left.signal, deadline]),
          },
          (answer) => {
            status = answer.statusCode;
            // The backend refused the engine's own key, so the client is told of a fault of the backend and not of the
            // client's key.
            if (status === 401 || status === 403) return discard();
            response.writeHead(status, answerHeaders(answer.headers));
            opened();
            return response;
          },
        );
      } catch (error) {
        // The head has been sent, so cutting the connection is the only way left to say that the body is incomplete.
        if (response.headersSent) response.destroy();
        else throw unavailable(error, deadline.aborted);
      }
      if (!response.headersSent) throw new EngineError('backend_error', 'The backend refused the engine.');
      return status;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function createPool(origin: string): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS_PER_BACKEND,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The request's own deadline bounds all phases, so these two timeouts are off.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function answerHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  // The sandbox keeps a browser from running the backend's answer as a page of the engine's origin.
  const kept: Record<string, string> = { 'content-security-policy': 'sandbox' };
  for (const name of ANSWER_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') kept[name] = value;
  }
  return kept;
}

function unavailable(cause: unknown, isLate: boolean): EngineError {
  if (isLate) return new EngineError('backend_unavailable', 'The backend did not answer in time.', { cause });
  return cause instanceof errors.HTTPParserError
    ? new EngineError('backend_error', 'The backend answered with something that is not HTTP.', { cause })
    : new EngineError('backend_unavailable', 'The backend cannot be reached.', { cause });
}

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
