import type { z } from 'zod';
import type { BodyReading } from '../wire/body.ts';
import { FileBody } from '../wire/file-body.ts';
import type { Auth } from './caller.ts';
import type { Method } from './route-text.ts';

/** `file` leaves the body to the handler, which reads it piece by piece. */
export type RouteReading = BodyReading | 'file';

/**
 * Routes that act for a tenant read the body even when they take nothing else from it, because the body may name the
 * tenant.
 */
export function bodyReading(method: Method, auth: Auth, body: z.ZodType | undefined): RouteReading {
  if (auth === 'backend') return 'raw';
  if (body === FileBody) return 'file';
  if (body !== undefined) return 'json';
  return method !== 'GET' && (auth === 'tenant' || auth === 'client' || auth === 'agency') ? 'json' : 'none';
}
