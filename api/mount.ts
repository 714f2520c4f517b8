import Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import { EngineError } from '../domain/error.ts';
import type { ErrorCode } from '../domain/error.ts';
import { createMatch, sharesPaths } from './passthrough/match.ts';
import { Streamed } from './wire/answer.ts';
import type { Reply } from './wire/answer.ts';
import { keyIdOf } from './route/auth.ts';
import type { Access } from './route/auth.ts';
import type { Admission } from './route/rate-limits.ts';
import { allowOrigin } from './console/cross-origin.ts';
import { readBody } from './wire/body.ts';
import { IncomingFile } from './wire/file-body.ts';
import type { Call, RequestFacts } from './route/call.ts';
import type { RequestState } from './wire/request-state.ts';
import { nearestRoute } from './route/near-route.ts';
import { BOUNDED_OTHERWISE } from './route/public-rates.ts';
import type { PublicRates } from './route/public-rates.ts';
import type { Route } from './route/route.ts';

/** A route's template that fits a path, with the methods of the route. */
interface Fitting {
  path: string;
  methods: readonly string[];
}

/** The fields of a route that a refusal names. */
type Described = Pick<Route<never>, 'method' | 'path' | 'operation'>;

interface Refusing {
  /** Lists the routes by which a path would be passed on. */
  passedAt: (path: string) => readonly Fitting[];
  /** Says what to change in a path of the backend; empty for any other path. */
  adviceFor: (method: string, path: string) => string;
  publicRates: PublicRates;
}

/** The checks that every request must pass. */
export interface Doors {
  access: Access;
  admission: Admission;
  /** Bounds the routes that take no key; without it nothing does. */
  publicRates?: PublicRates;
}

export function mount<Deps>(
  router: Router<RequestState>,
  routes: readonly Route<Deps>[],
  deps: Deps,
  doors: Doors,
): void {
  const match = createMatch(routes);
  for (const route of routes.toSorted(byPrecision)) {
    const layer = router.register(route.path, [route.method], async (context) => {
      context.state.route = route.path;
      const isVisited = route.auth === 'public';
      if (isVisited && !route.carriesSecret) doors.publicRates?.admit(context);
      // Answers hold a tenant's data, so no cache may keep them.
      context.set('cache-control', 'no-store');
      const reply = await route
        .run(callOf(context, context.params, route.path, doors), deps)
        .catch((error: unknown) => {
          if (isVisited && route.carriesSecret && isWithoutSecret(error)) doors.publicRates?.admit(context);
          throw error;
        });
      if (reply.body instanceof Streamed) await stream(context, reply.body);
      else write(context, reply);
    });
    if (layer instanceof Router) continue;
    const fits = layer.match.bind(layer);
    // `contacts/all` is a route of the backend and no contact: what is passed on is never the engine's own. The
    // passthrough has matched the path already, so only routes that share paths with the backend's match it again.
    if (sharesPaths(route)) layer.match = (path) => fits(path) && match(route.method, path) === undefined;
  }
}

/** The refusals that a request can get without the right secret. */
const WITHOUT_SECRET: ReadonlySet<ErrorCode> = new Set([
  'unauthorized',
  'invalid_request',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
]);

const isWithoutSecret = (error: unknown): boolean => error instanceof EngineError && WITHOUT_SECRET.has(error.code);

/**
 * Sorts a fixed segment before a parameter (`sessions/me` before `sessions/:id`), so that the order of the list does
 * not matter.
 */
function byPrecision(a: { path: string }, b: { path: string }): number {
  return rankOf(a) < rankOf(b) ? -1 : 1;
}

/** A parameter of either table of routes, `:id` or `{session}`, ranks behind every word. */
function rankOf({ path }: { path: string }): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '\uffff');
}

/** The routes that fit a path best: `messages/send` is no message, though `messages/:messageId` fits. */
function bestOf(fitting: readonly Fitting[]): Fitting[] {
  const ranks = fitting.map(rankOf);
  const best = ranks.reduce((first, rank) => (rank < first ? rank : first), ranks[0] ?? '');
  return fitting.filter((each) => rankOf(each) === best);
}

function callOf(
  context: ParameterizedContext<RequestState>,
  params: Record<string, string>,
  route: string,
  { access, admission }: Doors,
): Call {
  const left = new AbortController();
  context.res.once('close', () => {
    if (!context.res.writableFinished) left.abort();
  });
  return {
    request: requestFacts(context, route, left.signal),
    giveUp: (why) => left.abort(why),
    headers: context.req.headers,
    address: context.ip,
    method: context.method,
    route,
    params,
    query: context.query,
    access,
    readBody: async (reading, limitBytes) =>
      reading === 'file' ? new IncomingFile(context.req) : readBody(context.req, reading, limitBytes),
    identified: (who) => {
      context.state.keyId = keyIdOf(who);
      if ('bounds' in who && who.bounds) allowOrigin(context, who.bounds.embedIn);
    },
    admit: async (who, cost) => context.set(await admission.admit(who, cost)),
  };
}

function requestFacts(context: ParameterizedContext<RequestState>, route: string, signal: AbortSignal): RequestFacts {
  return {
    id: context.state.requestId,
    method: context.method,
    route,
    header: (name) => context.get(name) || undefined,
    log: context.state.log,
    signal,
  };
}

function write(context: ParameterizedContext<RequestState>, { status, headers, body }: Reply): void {
  context.status = status;
  if (body === undefined) context.body = null;
  else if (Buffer.isBuffer(body)) context.body = body;
  else {
    context.body = JSON.stringify(body);
    context.type = 'application/json';
  }
  // Koa answers 204 for a null body and resets the content type for any other, so the route's own status and headers
  // are set again.
  context.status = status;
  context.set(headers);
}

/** Writes an answer that goes on. Koa writes nothing of it, but answers an error that comes before it has begun. */
async function stream(context: ParameterizedContext<RequestState>, streamed: Streamed): Promise<void> {
  const { res: response, method } = context;
  const opened = (): void => {
    context.respond = false;
    context.status = streamed.head.status;
    context.set(streamed.head.headers);
    response.flushHeaders();
  };
  if (method !== 'HEAD') return streamed.write({ response, opened });
  opened();
  response.end();
}

/** Refuses a path that a route knows under other methods, and one that none knows. */
export function refuseUnknown(
  router: Router<RequestState>,
  routes: readonly Described[],
  { passedAt, adviceFor, publicRates }: Refusing,
): Middleware<RequestState> {
  return async (context) => {
    // The other paths are counted already.
    if (BOUNDED_OTHERWISE.test(context.path)) publicRates.admit(context);
    const matched = router.match(context.path, context.method).path;
    const own = matched.map(({ path, methods }) => ({ path: String(path), methods }));
    const best = bestOf([...own, ...passedAt(context.path)]);
    const methods = [...new Set(best.flatMap((each) => each.methods))].toSorted();
    const meant = nearestRoute(routes, context.method, context.path);
    // `messages/sned` fits `messages/:messageId`, but no message has such an id.
    const isSlip = meant?.method === context.method;
    const hint = meant === undefined ? '' : `Did you mean ${meant.method} ${meant.path}?`;
    if (methods.length === 0 || isSlip) {
      const advice = hint || adviceFor(context.method, context.path);
      throw new EngineError(
        'unknown_route',
        `${advice} The routes are listed at /docs/api, those of the backend at /docs/backend-routes.`.trimStart(),
      );
    }
    const allow = methods.join(', ');
    if (context.method !== 'OPTIONS') {
      const known = routes.filter((route) => best.some(({ path }) => path === route.path));
      throw new EngineError('method_not_allowed', `${useOf(methods, known)} ${hint}`.trimEnd(), { headers: { allow } });
    }
    context.set('allow', allow);
    context.status = 204;
  };
}

/** Says which methods a path has, and what each does if there is a choice. A HEAD is a GET without its body. */
function useOf(methods: readonly string[], routes: readonly Described[]): string {
  const named = methods.filter((method) => method !== 'HEAD');
  const said = named.map((method) => {
    const summary = routes.find((route) => route.method === method)?.operation.summary;
    return summary === undefined || named.length === 1 ? method : `${method} ("${summary}")`;
  });
  return `Use ${said.join(' or ')}.`;
}
