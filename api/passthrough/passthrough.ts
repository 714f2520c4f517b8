import type { Middleware, ParameterizedContext } from 'koa';
import type { ProxiedRequest } from '../../db/request-log.ts';
import { ERRORS, EngineError, notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';
import { keyIdOf } from '../route/auth.ts';
import type { Doors } from '../mount.ts';
import { isReservedName, matchPassthrough } from './policy.ts';
import type { PassthroughMatch } from './policy.ts';
import { upstreamHeaders, upstreamPath } from './request.ts';
import type { RequestState } from '../wire/request-state.ts';
import { namedTarget } from '../route/target.ts';
import { createUpstream } from './upstream.ts';

/**
 * Finds a session of the scope by id or name; without a name it finds the key's own session or the tenant's default.
 */
export interface SessionLookup {
  find(scope: Scope, idOrName: string | undefined): Promise<SessionAtBackend | undefined>;
}

export interface SessionAtBackend {
  id: string;
  name: string;
  /** The backend that holds it, without `/api`. */
  baseUrl: string;
}

export interface PassthroughOptions {
  sessions: SessionLookup;
  backendApiKey: string | undefined;
  /** Called after each request that was passed on; it must not throw, and the request does not wait for it. */
  recordProxied(entry: ProxiedRequest): void;
  /** 60 s when left out. */
  deadlineMs?: number;
}

const DEADLINE_MS = 60_000;
/** The units of the caller's rate limits that a request takes, because the backend has fewer places than the engine. */
const COST = 2;
const INTERNAL_STATUS = ERRORS.internal.status;

/** Passes a safe read that no route of the engine took on to the backend, for the caller's own session. */
export function createPassthrough(
  options: PassthroughOptions,
  { access, admission }: Doors,
): { middleware: Middleware<RequestState>; close(): Promise<void> } {
  const upstream = createUpstream(options.deadlineMs ?? DEADLINE_MS);

  async function passOn(context: ParameterizedContext<RequestState>, match: PassthroughMatch): Promise<void> {
    const { state } = context;
    state.route = match.template;
    const asking = { headers: context.req.headers, address: context.ip };
    const who = await access.identify({ auth: 'tenant', scope: 'passthrough' }, asking);
    const keyId = keyIdOf(who) ?? '';
    state.keyId = keyId;
    context.set(await admission.admit(who, COST));
    const target = namedTarget(
      {
        params: match.sessionInPath === undefined ? {} : { session: match.sessionInPath },
        query: context.query,
        body: undefined,
      },
      { template: '/:session', takesBody: false },
    );
    const { scope } = await access.grant('tenant', who, target, false);
    const query = new URLSearchParams(context.querystring);
    const session = await options.sessions.find(scope, sessionNamed(match, query));
    if (session === undefined || isReservedName(session.name)) throw notFound('session');

    const startedAt = performance.now();
    const { socket } = context.req;
    const bytesBefore = socket.bytesWritten;
    let status: number = INTERNAL_STATUS;
    try {
      const path = upstreamPath(match, session.name, query);
      const headers = upstreamHeaders(context.req.headers, options.backendApiKey);
      status = await upstream.stream({ baseUrl: session.baseUrl, path, headers }, context.res, () => {
        context.respond = false;
      });
    } catch (error) {
      if (error instanceof EngineError) status = ERRORS[error.code].status;
      throw error;
    } finally {
      const { agencyId, tenantId } = scope;
      const ms = Math.round(performance.now() - startedAt);
      const bytes = socket.bytesWritten - bytesBefore;
      const entry = { keyId, agencyId, tenantId, sessionId: session.id, route: match.template, status };
      state.log.info({ ...entry, ms, bytes }, 'proxied');
      const { requestId } = state;
      options.recordProxied({ requestId, method: 'GET', ...entry, durationMs: ms, responseBytes: bytes });
    }
  }

  return {
    middleware: async (context, next) => {
      const match = context.method === 'GET' ? matchPassthrough(context.path) : undefined;
      return match === undefined ? next() : passOn(context, match);
    },
    close: () => upstream.close(),
  };
}

/** Reads the session that the path or the query names; two different names are answered with 404. */
function sessionNamed(match: PassthroughMatch, query: URLSearchParams): string | undefined {
  const named = new Set([match.sessionInPath ?? [], query.getAll('session')].flat());
  if (named.size > 1) throw notFound('session');
  return [...named][0];
}
