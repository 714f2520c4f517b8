import Router from '@koa/router';
import type { RouterContext } from '@koa/router';

/** What the middleware leaves for the routes. */
export interface State {
  /** The parsed JSON body; an empty object when there is none. */
  body: unknown;
  /** The journaled send this call is, if it is one. */
  send: number | undefined;
}

export type Context = RouterContext<State>;

export const newRouter = (): Router<State> => new Router<State>();

/** A query value that may be repeated; the first one counts. */
export function queryOf(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  return Array.isArray(value) ? value[0] : value;
}

export function paramOf(ctx: Context, name: string): string {
  return ctx.params[name] ?? '';
}
