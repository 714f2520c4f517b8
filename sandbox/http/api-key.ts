import { timingSafeEqual } from 'node:crypto';
import type { Context, Next } from 'koa';
import { unauthorized } from './failures.ts';

/** These paths need no key: the page and the ping hold nothing secret, and the model has a header of its own. */
const isOpen = (path: string): boolean =>
  path === '/' || path === '/ping' || path.startsWith('/page/') || path.startsWith('/llm/');

export function requireApiKey(apiKey: string) {
  const wanted = Buffer.from(apiKey);
  return async (ctx: Context, next: Next): Promise<void> => {
    const query = ctx.query['x-api-key'];
    const given = Buffer.from(ctx.get('x-api-key') || (typeof query === 'string' ? query : ''));
    const known = given.length === wanted.length && timingSafeEqual(given, wanted);
    if (!known && !isOpen(ctx.path)) throw unauthorized();
    await next();
  };
}
