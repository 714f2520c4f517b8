import type { Middleware, ParameterizedContext } from 'koa';
import type { PublicRates } from '../route/public-rates.ts';
import type { RequestState } from '../wire/request-state.ts';

type Context = ParameterizedContext<RequestState>;

/** The headers that a page may send. A key is for programs, so a page of another origin cannot send one. */
const ALLOWED_HEADERS =
  'content-type, idempotency-key, last-event-id, prefer, x-engine-actor, x-request-id, x-requested-with';
const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const EXPOSED_HEADERS = 'idempotent-replayed, location, ratelimit, ratelimit-policy, retry-after, x-request-id';
/** A link that was ended allows nothing within this time; the request itself is checked in any case. */
const MAX_AGE_SECONDS = 60;

/** Lets a page of this origin read the answer. Its login has named the origin (`domain/console/link.ts`). */
export function allowOrigin(context: Context, origins: readonly string[]): void {
  const origin = context.get('origin');
  if (!origins.includes(origin)) return;
  context.vary('origin');
  context.set('access-control-allow-origin', origin);
  context.set('access-control-allow-credentials', 'true');
  context.set('access-control-expose-headers', EXPOSED_HEADERS);
}

/**
 * Answers preflights for the API by their origin: a browser sends no cookie with them. The answer allows nothing that
 * the request itself is not checked for.
 */
export function preflights(
  isEmbedder: (origin: string) => Promise<boolean>,
  publicRates: PublicRates,
): Middleware<RequestState> {
  return async (context, next) => {
    const origin = context.get('origin');
    const isPreflight = context.method === 'OPTIONS' && context.get('access-control-request-method') !== '';
    if (!isPreflight || origin === '' || !context.path.startsWith('/api/v1/')) return next();
    publicRates.admit(context);
    if (!(await isEmbedder(origin))) return next();
    allowOrigin(context, [origin]);
    context.set('access-control-allow-methods', ALLOWED_METHODS);
    context.set('access-control-allow-headers', ALLOWED_HEADERS);
    context.set('access-control-max-age', String(MAX_AGE_SECONDS));
    context.state.route = 'preflight';
    context.status = 204;
  };
}
