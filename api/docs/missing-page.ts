import type { Context, Middleware } from 'koa';
import { EngineError } from '../../domain/error.ts';
import { UNMATCHED } from '../wire/request-state.ts';
import type { RequestState } from '../wire/request-state.ts';
import { escaped, page, PAGE_POLICY } from './page.ts';

/**
 * Shows a page with the ways on to somebody whose browser asked for an address that leads nowhere. Programs get the
 * problem, as for every other error.
 */
export function missingPages(): Middleware<RequestState> {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (!isMissing(error) || !isPage(context.state.route) || !wantsPage(context)) throw error;
      context.status = 404;
      context.set('content-security-policy', PAGE_POLICY);
      context.set('cache-control', 'no-store');
      context.body = missingPage(context.path);
      context.type = 'text/html; charset=utf-8';
    }
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'unknown_route' || error.code === 'not_found');
}

/** A route of the API that finds nothing answers a problem, whoever asks. */
function isPage(route: string): boolean {
  return route === UNMATCHED || route.startsWith('/docs');
}

/** Browsers name HTML before everything else; what takes anything, such as curl, gets JSON. */
function wantsPage(context: Pick<Context, 'method' | 'accepts'>): boolean {
  if (context.method !== 'GET' && context.method !== 'HEAD') return false;
  return context.accepts('application/problem+json', 'application/json', 'text/html') === 'text/html';
}

function missingPage(path: string): string {
  const toRoot = '../'.repeat(path.split('/').length - 2);
  return page({
    title: 'Not found',
    toRoot,
    body: `<h1>Not found</h1><p>There is nothing at <code>${escaped(path)}</code>.</p>
<ul><li><a href="${toRoot}docs/readme">First steps</a></li>
<li><a href="${toRoot}docs">All guides</a></li>
<li><a href="${toRoot}docs/api">API reference</a>, with every route</li>
<li><a href="${toRoot}docs/backend-routes">Routes that are passed on to the backend</a></li></ul>`,
  });
}
