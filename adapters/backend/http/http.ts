import { Pool } from 'undici';
import { observe } from '../../../domain/telemetry/meter.ts';
import { currentTrace, inTracedSpan, TRACEPARENT } from '../../../domain/telemetry/tracing.ts';
import { createBreaker } from './breaker.ts';
import type { Breaker } from './breaker.ts';
import { Exchange } from './exchange.ts';
import type { HttpRequest, HttpResult } from './exchange.ts';
import { jsonBodyOf } from './json-body.ts';
import type { JsonBody } from './json-body.ts';

export interface HttpOptions {
  baseUrl: string;
  apiKey: string | null;
  connectTimeoutMs: number;
  connections: number;
  /** One for all connections to the server; else these have their own. */
  breaker?: Breaker;
}

export type Http = ReturnType<typeof createHttp>;

/**
 * Connects to one backend. No call is repeated or redirected here, so that the result tells what happened to one
 * request.
 */
export function createHttp(options: HttpOptions) {
  const { breaker = createBreaker() } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: options.connections,
    connect: { timeout: options.connectTimeoutMs },
    // One deadline per call bounds all phases; the defaults would cut a slow send while it is still going out.
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
  });

  function call(request: HttpRequest): Promise<HttpResult> {
    const attributes = { 'http.request.method': request.method, 'server.address': base.host };
    return inTracedSpan({ name: `backend ${request.method}`, kind: 'client', attributes }, async (span) => {
      const result = await exchange(request);
      if (result.kind === 'failure') span.fail(result.cause);
      else span.set('http.response.status_code', result.status);
      return result;
    });
  }

  async function exchange(request: HttpRequest): Promise<HttpResult> {
    if (request.signal?.aborted) return { kind: 'failure', written: false, cause: 'aborted' };
    if (!breaker.admits()) return { kind: 'failure', written: false, cause: 'server_away' };
    const { beginBy } = request;
    const startedAtMs = performance.now();
    const exchanged = new Exchange(request);
    const timer = setTimeout(() => exchanged.cancel('timeout'), request.timeoutMs);
    const latest = beginBy && setTimeout(() => exchanged.cancelUnlessBegun(), Math.max(0, beginBy.leftMs()));
    const onAbort = () => exchanged.cancel('aborted');
    request.signal?.addEventListener('abort', onAbort, { once: true });
    const body = request.body === undefined ? null : jsonBodyOf(request.body, request.file);
    pool.dispatch(
      {
        method: request.method,
        path: `${prefix}${request.path}${queryString(request.query)}`,
        headers: headersOf(request, body),
        body: body?.content ?? null,
        ...(request.idleMs === undefined ? {} : { headersTimeout: request.idleMs, bodyTimeout: request.idleMs }),
      },
      exchanged,
    );
    try {
      const result = await exchanged.result;
      breaker.note(result);
      note(request.method, result, startedAtMs);
      return result;
    } finally {
      clearTimeout(timer);
      clearTimeout(latest);
      request.signal?.removeEventListener('abort', onAbort);
    }
  }

  function headersOf(request: HttpRequest, body: JsonBody | null): Record<string, string> {
    const trace = currentTrace();
    return {
      ...(trace === undefined ? {} : { [TRACEPARENT]: trace }),
      accept: request.accept ?? 'application/json',
      ...(options.apiKey === null ? {} : { 'x-api-key': options.apiKey }),
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) }),
    };
  }

  return { call, close: () => pool.destroy() };
}

function note(method: HttpRequest['method'], result: HttpResult, startedAtMs: number): void {
  const outcome = result.kind === 'failure' ? result.cause : `${Math.floor(result.status / 100)}xx`;
  const seconds = (performance.now() - startedAtMs) / 1_000;
  observe('engine_backend_request_duration_seconds', { method, outcome }, seconds);
}

function queryString(query: HttpRequest['query']): string {
  if (query === undefined) return '';
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) search.set(name, String(value));
  return `?${search.toString()}`;
}
