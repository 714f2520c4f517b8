import Router from '@koa/router';
import type { RouterContext } from '@koa/router';

/** The state that the middleware fills in for the routes. */
export interface State {
  /** The parsed JSON body; an empty object when there is none. */
  body: unknown;
  /** The number in the journal of the send that this call makes; undefined for any other call. */
  send: number | undefined;
}

export type Context = RouterContext<State>;

export const newRouter = (): Router<State> => new Router<State>();

/** Reads a query value; when it is repeated, the first one counts. */
export function queryOf(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  return Array.isArray(value) ? value[0] : value;
}

export function paramOf(ctx: Context, name: string): string {
  return ctx.params[name] ?? '';
}
