import { EngineError } from '../../domain/error.ts';
import type { Asking } from '../route/caller.ts';

/** A form of another page cannot send this header. */
const HEADER_VALUE = 'engine-console';

/**
 * Refuses a request by cookie that another page has made: browsers send the cookie wherever a request comes from, and
 * say where that is. A change must also have a header that no form can have.
 */
export function requireOwnPage({ headers, method }: Pick<Asking, 'headers' | 'method'>, publicUrl: string): void {
  if (isOwn(headers, isRead(method), publicUrl) && hasGuard({ headers, method })) return;
  throw crossSite();
}

/** The origin of another page that has sent what the console would; null where the request is no such one. */
export function otherOrigin({ headers, method }: Pick<Asking, 'headers' | 'method'>, publicUrl: string): string | null {
  if (isOwn(headers, isRead(method), publicUrl)) return null;
  return hasGuard({ headers, method }) ? (headers.origin ?? null) : null;
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

function hasGuard({ headers, method }: Pick<Asking, 'headers' | 'method'>): boolean {
  return isRead(method) || headers['x-requested-with'] === HEADER_VALUE;
}

export function crossSite(): EngineError {
  return new EngineError(
    'cross_site_refused',
    "The console's cookie works only in requests from the console or from an origin in the link's " +
      `embedIn. Changes also need the header X-Requested-With: ${HEADER_VALUE}. Programs send a key in ` +
      'X-API-Key.',
  );
}

function isOwn(headers: Asking['headers'], isReading: boolean, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // `none` is an address that a person has opened.
  if (site !== undefined) return site === 'same-origin' || (isReading && site === 'none');
  // Browsers leave the first header out where the engine is reached by HTTP at another machine.
  if (origin !== undefined) return origin === new URL(publicUrl).origin || hostOf(origin) === host;
  return isReading;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
