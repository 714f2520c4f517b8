import type { Middleware, ParameterizedContext } from 'koa';
import { Readable } from 'node:stream';
import type { ProxiedRequest } from '../../db/request-log.ts';
import { ERRORS, EngineError, invalid } from '../../domain/error.ts';
import type { GiveBack } from '../../domain/fair-slots.ts';
import type { Scope } from '../../domain/scope.ts';
import { holder, keyIdOf } from '../route/auth.ts';
import type { Doors } from '../mount.ts';
import type { Identified } from '../route/caller.ts';
import { requireKeyScope } from '../route/key-scope.ts';
import type { PublicRates } from '../route/public-rates.ts';
import type { RequestState } from '../wire/request-state.ts';
import { lengthOf } from '../wire/body.ts';
import { sizeOf, textIn } from './body.ts';
import { createBounds } from './bounds.ts';
import type { FetchFile } from './files.ts';
import type { Match, Native, PassthroughMatch } from './match.ts';
import { prepared, received } from './prepare.ts';
import { upstreamPath } from './request.ts';
import type { AskedSend, BackendAnswer, Sends } from './sends/sends.ts';
import { asks, notes, queues, records, shows, streams } from './forward.ts';
import type { Passing, Served } from './forward.ts';
import type { Asked } from '../../domain/sessions/ask.ts';
import { BACKEND_METHODS } from './table/row.ts';
import type { BackendRoute } from './table/row.ts';
import { SessionAct } from '../../domain/sessions/ask.ts';
import { adviceFor, maySend, requireHarmless, unknownMatch } from './unknown.ts';
import { createUpstream, KeyRefused, UnknownAtBackend } from './upstream.ts';
import type { UpstreamLimits, UpstreamRequest, Upstream } from './upstream.ts';
import { asSessionOrWord, NoSessionNamed, requireMayUse, whose } from './session-lookup.ts';
import type { SessionAtBackend, SessionLookup } from './session-lookup.ts';

export interface PassthroughOptions {
  sessions: SessionLookup;
  sends: Sends;
  /** Asks the session's supervisor for what a request asks of the backend. */
  askSession(scope: Scope, sessionId: string, asked: Asked): Promise<unknown>;
  fetchFile: FetchFile;
  /** Called after each request that was passed on; it must not throw, and the request does not wait for it. */
  recordProxied(entry: ProxiedRequest): void;
  limits?: Partial<UpstreamLimits> | undefined;
}

type Context = ParameterizedContext<RequestState>;

const LIMITS: UpstreamLimits = { readMs: 60_000, changeMs: 120_000, idleMs: 30_000 };
/** The units of the caller's rate limits that a request takes, because the backend has fewer places than the engine. */
const COST = 2;
/** Our own routes for the same need the scope `send`, too. */
const DOES_SEND = new Set<BackendRoute['does']>(['sends', 'records', 'notes']);
const INTERNAL_STATUS = ERRORS.internal.status;

interface Passthrough {
  middleware: Middleware<RequestState>;
  /** Passes on what no native route and no row of the table takes. */
  unknown: Middleware<RequestState>;
  /** Says what to change in a path that was not passed on; empty for other paths. */
  adviceFor: (method: string, path: string) => string;
  close(): Promise<void>;
}

interface Surroundings extends Doors {
  match: Match;
  natives: readonly Native[];
  /** An unknown path without a valid key counts as the other unknown paths do. */
  publicRates: PublicRates;
}

/** Passes requests for routes of the backend on, for the caller's own session and as the table of routes says. */
export function createPassthrough(
  options: PassthroughOptions,
  { access, admission, match: matchOf, natives, publicRates }: Surroundings,
): Passthrough {
  const { sessions, sends } = options;
  const upstream = createUpstream({ ...LIMITS, ...options.limits });
  const bounds = createBounds();

  async function passOn(context: Context, asMatched: PassthroughMatch): Promise<void> {
    const { state, req } = context;
    state.route = labelOf(asMatched);
    const { method, ip: address, query } = context;
    const asking = { headers: req.headers, address, method, route: labelOf(asMatched), params: {}, query };
    const who = await access.identify({ auth: 'tenant', scope: null }, asking);
    state.keyId = keyIdOf(who) ?? '';
    // Before the scopes: none would open the route to a key of the wrong kind.
    requireMayUse(asMatched.route, who);
    requireKeyScope(holder(who), 'passthrough');
    context.set(await admission.admit(who, COST));
    const match = await asSessionOrWord(asMatched, sessions);
    const { route } = match;
    // A key that may not send does not send by this way either.
    const isSend = DOES_SEND.has(route.does) || (match.isUnknown && maySend(match));
    if (isSend) requireKeyScope(holder(who), 'send');
    const held: GiveBack[] = [];
    try {
      const size = sizeOf(req, route);
      const body = await received(bounds, req, { route, size, owner: ownerOf(who), held });
      const search = new URLSearchParams(context.querystring);
      const asked = { match, who, query: context.query, search, body };
      if (match.isUnknown) requireHarmless(search, body.kind === 'fields' ? body.fields : undefined);
      const { scope, session } = await whose(asked, { access, sessions });
      if (match.isUnknown) requireOwnKey(session, match);
      const path = upstreamPath(match, session.name, search);
      const sent = route.does === 'asks' ? readOf(path) : { body, request: { method: methodOf(context.method), path } };
      const { agencyId } = scope;
      const passing: Passing = {
        prepare: () =>
          prepared({ match, ...sent, session, agencyId, headers: req.headers, held }, { ...options, bounds }),
        response: context.res,
        onError: (error) => state.log.error({ err: error }, 'the end of a passthrough send could not be stored'),
        upstream: withRenewedKey(upstream, () => anotherKey(scope, session)),
        opened: () => {
          context.respond = false;
        },
      };
      await logged(context, { match, scope, session }, async () => {
        if (route.does === 'passes') return streams(passing);
        if (route.does === 'shows') return shows(passing);
        if (route.does === 'asks') {
          const asked = { act: actOf(route), by: { keyId: state.keyId ?? '' }, signal: leaving(context) };
          return asks({ ...passing, act: async () => void (await options.askSession(scope, session.id, asked)) });
        }
        const fields = body.kind === 'fields' ? body.fields : {};
        const actor = actorOf(textIn({ fields }, 'actor') ?? search.get('actor') ?? undefined);
        const { keyId = '' } = state;
        const send: AskedSend = { scope, session, path: route.path, fields, actor, keyId, signal: leaving(context) };
        if (route.does === 'notes') {
          const asked = { ...send, method: route.method, segments: match.segments };
          return notes({ ...passing, sends, asked });
        }
        if (route.does === 'records') return records({ ...passing, sends, asked: send });
        held.push(await bounds.toQueue(session));
        return queues({ ...passing, sends, asked: send });
      });
    } finally {
      for (const giveBack of held) giveBack();
    }
  }

  async function anotherKey(scope: Scope, session: SessionAtBackend): Promise<string | null> {
    await sessions.refused?.(session);
    const { apiKey = null } = (await sessions.find(scope, session.id)) ?? {};
    return apiKey === session.apiKey ? null : apiKey;
  }

  /** Serves the request, and logs it without its body, its path and the values of its query. */
  async function logged(
    context: Context,
    { match, scope, session }: { match: PassthroughMatch; scope: Scope; session: SessionAtBackend },
    serve: () => Promise<Served>,
  ): Promise<void> {
    const { state, req, res } = context;
    const startedAt = performance.now();
    let isRecorded = true;
    const writtenBefore = req.socket.bytesWritten;
    let status: number = INTERNAL_STATUS;
    try {
      const served = await serve();
      ({ status } = served);
      if ('headers' in served) write(context, served);
    } catch (error) {
      if (error instanceof EngineError) status = ERRORS[error.code].status;
      if (error instanceof KeyRefused && error.isUnknown) await sessions.refused?.(session);
      if (!match.beginsWithWord || !(error instanceof KeyRefused || error instanceof UnknownAtBackend)) throw error;
      // The backend may read that word as a session of others, and says so by refusing the key. Nobody may see that the
      // backend was asked, because it is not asked about a session of others.
      isRecorded = false;
      throw new UnknownAtBackend();
    } finally {
      const written = status;
      const record = (): void => {
        const { requestId, keyId = '' } = state;
        const entry: ProxiedRequest = {
          at: new Date(),
          requestId,
          keyId,
          agencyId: scope.agencyId,
          tenantId: scope.tenantId,
          sessionId: session.id,
          method: context.method,
          route: match.template,
          status: written,
          durationMs: Math.round(performance.now() - startedAt),
          requestBytes: lengthOf(req) ?? 0,
          responseBytes: Math.max(0, req.socket.bytesWritten - writtenBefore),
        };
        options.recordProxied(entry);
      };
      if (isRecorded && (res.closed || res.writableFinished)) record();
      else if (isRecorded) res.once('close', record);
    }
  }

  return {
    middleware: async (context, next) => {
      const match = matchOf(context.method, context.path);
      return match === undefined ? next() : passOn(context, match);
    },
    // After the native routes: what neither these nor the table know may be a route of a newer backend.
    unknown: async (context, next) => {
      const match = isLost(context) ? undefined : unknownMatch(context.method, context.path, natives);
      if (match === undefined) return next();
      const { route } = context.state;
      try {
        await passOn(context, match);
      } catch (error) {
        // Nothing says whether somebody else has a session of that name.
        if (isOfNoKey(error)) publicRates.admit(context);
        if (!isOfNoSession(error)) throw error;
        context.state.route = route;
        await next();
      }
    },
    adviceFor: (method, path) => adviceFor(method, path, natives),
    close: () => upstream.close(),
  };
}

/** Words of a client are no labels: whoever has no key could make any number of them, and each series stays. */
function labelOf({ isUnknown, template }: PassthroughMatch): string {
  if (!isUnknown) return template;
  return template.startsWith('/api/v1/') ? '/api/v1/{…}' : '/api/{…}';
}

/** A person who followed a wrong link gets a page, and no demand for a key. */
function isLost({ req }: Context): boolean {
  const { accept = '', 'x-api-key': key, 'api-key': alias, cookie } = req.headers;
  return accept.includes('text/html') && key === undefined && alias === undefined && cookie === undefined;
}

function isOfNoKey(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'unauthorized';
}

function isOfNoSession(error: unknown): boolean {
  return (
    error instanceof NoSessionNamed ||
    error instanceof UnknownAtBackend ||
    (error instanceof EngineError && error.code === 'not_found')
  );
}

/** The third wall: the backend itself keeps the request within its session. */
function requireOwnKey({ hasOwnKey }: SessionAtBackend, { beginsWithWord }: PassthroughMatch): void {
  if (hasOwnKey) return;
  // Such a path gets the same answer with the name of somebody else's session.
  if (beginsWithWord) throw new NoSessionNamed();
  throw new EngineError(
    'forbidden',
    'This backend makes no keys for single sessions, so the engine passes only the routes on that it knows.',
  );
}

function write(context: Context, { status, headers, body }: BackendAnswer): void {
  context.status = status;
  if (Buffer.isBuffer(body)) context.body = body;
  else {
    context.body = JSON.stringify(body);
    context.type = 'application/json';
  }
  context.status = status;
  context.set(headers);
}

function methodOf(method: string): UpstreamRequest['method'] {
  return method === 'HEAD' ? method : (BACKEND_METHODS.find((each) => each === method) ?? 'GET');
}

function actorOf(actor: string | undefined): 'person' | 'bot' {
  if (actor === undefined || actor === 'person') return 'person';
  if (actor === 'bot') return 'bot';
  throw invalid({ pointer: '/actor', message: 'must be person or bot' });
}

/** The owner of the request before it is known whose session it is for. */
function ownerOf(who: Identified): string {
  return 'agencyId' in who ? who.agencyId : who.kind;
}

function leaving({ res }: Context): AbortSignal {
  const left = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) left.abort();
  });
  return left.signal;
}

/** Reads the session of which a request asks something, once its supervisor has done it. */
function readOf(path: string) {
  return { body: { kind: 'none' }, request: { method: 'GET', path: path.slice(0, path.lastIndexOf('/')) } } as const;
}

/** Returns the requested act, which ends the path. */
function actOf({ path }: BackendRoute): SessionAct {
  return SessionAct.parse(path.split('/').at(-1));
}

/**
 * Makes a request once more whose key the backend does not know, with another one: a backend that came back with an
 * empty memory has forgotten the keys that it has made. It has done nothing for the first. A body that went on as it
 * came cannot go again, so such a request fails, and the next one has the other key.
 */
export function withRenewedKey(
  upstream: Pick<Upstream, 'stream' | 'fetch'>,
  /** Answers another key than the one that was refused, or null when there is none. */
  renew: () => Promise<string | null>,
): Pick<Upstream, 'stream' | 'fetch'> {
  async function tried<T>(request: UpstreamRequest, make: (request: UpstreamRequest) => Promise<T>): Promise<T> {
    try {
      return await make(request);
    } catch (error) {
      if (!(error instanceof KeyRefused && error.isUnknown) || request.body instanceof Readable) throw error;
      const key = await renew();
      if (key === null) throw error;
      return make({ ...request, headers: { ...request.headers, 'x-api-key': key } });
    }
  }

  return {
    stream: (request, response, opened) => tried(request, (each) => upstream.stream(each, response, opened)),
    fetch: (request) => tried(request, (each) => upstream.fetch(each)),
  };
}
