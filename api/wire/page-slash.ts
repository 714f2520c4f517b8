import type { Middleware } from 'koa';

/** The pages that people type by hand, with the slash behind them that some add. */
const TYPED = /^(\/(?:console|docs))\/(\?.*)?$/;

/**
 * Leads a person who wrote a slash too many to the page. It runs before the gate of targets, which takes each path in
 * one spelling only.
 */
export function pageSlash(publicUrl: string): Middleware {
  const root = new URL(publicUrl).pathname.replace(/\/$/, '');
  return async (context, next) => {
    const [, page, query = ''] = TYPED.exec(context.req.url ?? '') ?? [];
    if (page === undefined || !['GET', 'HEAD'].includes(context.method)) return next();
    context.redirect(`${root}${page}${query}`);
    context.status = 308;
    return undefined;
  };
}
