import type { Context, Next } from 'koa';
import type { Actions } from '../state/api-key.ts';
import { keyOf } from './api-key.ts';
import { badRequest, forbidden } from './failures.ts';
import { sessionNamed } from './session-name.ts';

/** Reads about the server that every key opens. */
const SERVER_READS = new Set(['/api/server/version', '/api/version', '/api/server/status']);
/** Routes of the server, and of all sessions together. */
const ADMINISTRATION = /^\/api\/(?:(?:keys|server|apps)(?:\/|$)|sessions$)/;
const CONTROL = /^\/api\/(?:sessions\/[^/]+\/(?:start|stop|restart|logout)|[^/]+\/auth\/.+)$/;
const SENDS = /^\/api\/(?:send|reply|forwardMessage|reaction|star|startTyping|stopTyping)/;
const SETTING = /^\/api\/(?:sessions\/[^/]+|[^/]+\/profile(?:\/.*)?)$/;

/**
 * Keeps the key of one session to that session, wherever a call names it, as the real backend does: anything else is
 * forbidden, and so is what belongs to the server.
 */
export async function requirePolicy(ctx: Context, next: Next): Promise<void> {
  const key = keyOf(ctx);
  if (key !== undefined && !key.isAdmin && ctx.path.startsWith('/api/') && !isOpen(ctx)) {
    if (ADMINISTRATION.test(ctx.path)) throw forbidden();
    const named = sessionsNamed(ctx);
    if (named.length === 0) throw badRequest('Session name is required');
    const action = actionOf(ctx);
    const may = key.actions === null ? action !== 'delete' : key.actions[action];
    if (named.some((name) => name !== key.session) || !may) throw forbidden();
  }
  // The control of the sandbox is the tests', who have the first key.
  if (key !== undefined && !key.isAdmin && ctx.path.startsWith('/sandbox/')) throw forbidden();
  await next();
}

/** Every session that the call names, because a route may read any of the places. */
function sessionsNamed({ path, query, state }: Context): string[] {
  const places: [string, Record<string, unknown>, unknown][] = [
    [path, {}, {}],
    ['', query, {}],
    ['', {}, state['body']],
  ];
  return places.map(([...place]) => sessionNamed(...place)).filter((name) => name !== undefined);
}

function isOpen({ method, path }: Context): boolean {
  return method === 'GET' && (SERVER_READS.has(path) || path === '/api/sessions');
}

function actionOf({ method, path }: Context): keyof Actions {
  if (method === 'DELETE' && /^\/api\/sessions\/[^/]+$/.test(path)) return 'delete';
  if (CONTROL.test(path)) return 'control';
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (SETTING.test(path)) return 'setting';
  return SENDS.test(path) ? 'send' : 'setting';
}
