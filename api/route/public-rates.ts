import type { Middleware } from 'koa';
import { EngineError } from '../../domain/error.ts';
import { Levels } from '../../domain/rate.ts';
import type { RequestState } from '../wire/request-state.ts';
import { networkOf } from './failed-keys.ts';

/** The cost of one request in units, by the beginning of its path; a page costs one unit. */
const COSTS: readonly (readonly [path: string, units: number])[] = [
  // A page of the console shows many files, and a page that connects an account asks for its state.
  ['/media/', 0.1],
  ['/connect/', 0.2],
  // A search reads all guides.
  ['/docs/search', 20],
  ['/openapi.json', 5],
  ['/docs/reference.json', 5],
];
const PREFLIGHT_UNITS = 0.1;

/** Paths with a bound of their own: a key, a secret, a signature, or a supervisor of the process that must always see it. */
export const BOUNDED_OTHERWISE = /^\/(api\/|v1\/|hooks\/|livez$|readyz$)/;

/**
 * Bounds requests that name no key, by the network that they come from. A key has its own rates. Each process counts
 * for itself.
 */
export class PublicRates {
  readonly #networks: Levels;

  /** 0 sets no bound. */
  constructor(perMinute: number, nowMs?: () => number) {
    this.#networks = new Levels({ perMinute, burst: perMinute }, nowMs);
  }

  /** Takes the cost of a request, or refuses it with the seconds to wait. */
  admit({ ip, path, method }: { ip: string; path: string; method: string }): void {
    const waitMs = this.#networks.take(networkOf(ip), costOf(method, path));
    if (waitMs === 0) return;
    const waitSeconds = Math.ceil(waitMs / 1_000);
    throw new EngineError('rate_limited', `Too many requests without a key from this address: wait ${waitSeconds} s.`, {
      headers: { 'retry-after': String(waitSeconds) },
    });
  }
}

function costOf(method: string, path: string): number {
  if (method === 'OPTIONS') return PREFLIGHT_UNITS;
  return COSTS.find(([beginning]) => path.startsWith(beginning))?.[1] ?? 1;
}

/**
 * Bounds the pages and files that take no key. `mount` bounds public routes of the API, and `refuseUnknown` the rest.
 * A refused request that came through a proxy nobody has named counts for all clients of the proxy, so it is logged.
 */
export function publicDoor(rates: PublicRates, trustedProxies: number): Middleware<RequestState> {
  let isLogged = false;
  return async (context, next) => {
    try {
      if (!BOUNDED_OTHERWISE.test(context.path)) rates.admit(context);
      await next();
    } catch (error) {
      const isOfProxy = trustedProxies === 0 && context.get('x-forwarded-for') !== '';
      if (isOfProxy && !isLogged && error instanceof EngineError && error.code === 'rate_limited') {
        isLogged = true;
        context.state.log.warn({}, 'clients of a proxy are counted as one address: set TRUSTED_PROXIES');
      }
      throw error;
    }
  };
}
