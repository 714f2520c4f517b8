import type { Context, Next } from 'koa';
import type { Timers } from '../timers.ts';
import { EngineFailure, onlyInPlus } from './failures.ts';
import type { RouteFaults } from './faults.ts';
import { sessionNamed } from './session-name.ts';

/** Ends the call without an answer. */
export function dropConnection(ctx: Context): void {
  ctx.respond = false;
  ctx.req.socket.destroy();
}

/** Leaves the call open until the caller gives up or the sandbox closes. */
function neverAnswer(ctx: Context): void {
  ctx.respond = false;
}

/**
 * Simulates a backend's machine that is off: connections to the backend break, while the control API and the page
 * answer.
 */
export function refuseConnections(faults: RouteFaults) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const backend = ctx.path.startsWith('/api/') || ctx.path === '/ping' || ctx.path === '/health';
    if (faults.refusing && backend) return dropConnection(ctx);
    return next();
  };
}

export function applyFaults(faults: RouteFaults, timers: Timers) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!ctx.path.startsWith('/api/')) return next();
    const fault = faults.take(ctx.path, {
      session: sessionNamed(ctx.path, ctx.query, ctx.state['body']),
      chatId: chatNamed(ctx.state['body']),
    });
    switch (fault?.kind) {
      case undefined:
        return next();
      case 'status500':
        throw new EngineFailure(fault.message);
      case 'plusOnly':
        throw onlyInPlus('NOWEB');
      case 'hang':
        return neverAnswer(ctx);
      case 'drop':
        return dropConnection(ctx);
      case 'slow':
        await timers.sleep(fault.delayMs);
        return next();
      case 'hold':
        await faults.ended(fault);
        return next();
      case 'status500After':
        await next();
        throw new EngineFailure(fault.message);
      case 'hangAfter':
        await next();
        return neverAnswer(ctx);
      case 'dropAfter':
        await next();
        return dropConnection(ctx);
    }
  };
}

function chatNamed(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'chatId' in body ? body.chatId : undefined;
}
