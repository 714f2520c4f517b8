import { EngineError } from '../../domain/error.ts';
import type { Asking } from '../route/auth.ts';

/** What a form of another page cannot send. */
const HEADER_VALUE = 'engine-console';

/**
 * Refuses a request by cookie that another page has made: browsers send the cookie wherever a request comes from, and
 * say where that is. A change must also have a header that no form can have.
 */
export function requireOwnPage({ headers, method }: Pick<Asking, 'headers' | 'method'>, publicUrl: string): void {
  const isRead = method === 'GET' || method === 'HEAD';
  if (isOwn(headers, isRead, publicUrl) && (isRead || headers['x-requested-with'] === HEADER_VALUE)) return;
  throw new EngineError(
    'cross_site_refused',
    "The console's cookie is accepted only in requests from the console itself, and for changes only with the " +
      `header X-Requested-With: ${HEADER_VALUE}. Programs send a key in X-API-Key.`,
  );
}

function isOwn(headers: Asking['headers'], isRead: boolean, publicUrl: string): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  // `none` is an address that a person has opened.
  if (site !== undefined) return site === 'same-origin' || (isRead && site === 'none');
  // Browsers leave the first header out where the engine is reached by HTTP at another machine.
  if (origin !== undefined) return origin === new URL(publicUrl).origin || hostOf(origin) === host;
  return isRead;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
