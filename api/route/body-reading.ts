import type { BodyReading } from '../wire/body.ts';
import type { Auth } from './auth.ts';
import type { Method } from './route.ts';

/**
 * Routes that act for a tenant read the body even when they take nothing else from it, because the body may name the
 * tenant.
 */
export function bodyReading(method: Method, auth: Auth, hasSchema: boolean): BodyReading {
  if (auth === 'backend') return 'raw';
  if (hasSchema) return 'json';
  return method !== 'GET' && (auth === 'tenant' || auth === 'client' || auth === 'agency') ? 'json' : 'none';
}
