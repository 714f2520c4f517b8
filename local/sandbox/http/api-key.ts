import { timingSafeEqual } from 'node:crypto';
import type { Context, Next } from 'koa';
import type { ApiKey } from '../state/api-key.ts';
import { unauthorized, unauthorizedControl } from './failures.ts';

/** These paths need no key: the page and the ping hold nothing secret, and the model has a header of its own. */
const isOpen = (path: string): boolean =>
  path === '/' || path === '/ping' || path.startsWith('/page/') || path.startsWith('/llm/');

/** The keys that the backend has made and that calls came with. */
const known = new WeakMap<object, ApiKey>();

/** Lets a call pass with the key that the sandbox was started with, or with an active one that it has made. */
export function requireApiKey(apiKey: string, made: ReadonlyMap<string, ApiKey>) {
  const wanted = Buffer.from(apiKey);
  return async (ctx: Context, next: Next): Promise<void> => {
    const query = ctx.query['x-api-key'];
    const given = ctx.get('x-api-key') || (typeof query === 'string' ? query : '');
    if (!isEqual(Buffer.from(given), wanted)) {
      const key = made.values().find((one) => one.isActive && one.key === given);
      if (key) known.set(ctx.req, key);
      else if (!isOpen(ctx.path)) throw ctx.path.startsWith('/sandbox/') ? unauthorizedControl() : unauthorized();
    }
    await next();
  };
}

/** The key that the backend has made and that the call came with; undefined for the one that it was started with. */
export function keyOf({ req }: Pick<Context, 'req'>): ApiKey | undefined {
  return known.get(req);
}

function isEqual(given: Buffer, wanted: Buffer): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
