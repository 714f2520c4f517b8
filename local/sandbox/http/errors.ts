import type { Context, Next } from 'koa';
import type { Core } from '../network/core.ts';
import { Refusal } from './failures.ts';

/**
 * Answers errors as the backend does: a refusal with its own body, any other error with a 500 that echoes the request.
 */
export function answerErrors(core: Pick<Core, 'settings' | 'version'>) {
  const { log } = core.settings;
  return async (ctx: Context, next: Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      if (error instanceof Refusal) {
        ctx.status = error.status;
        ctx.body = error.body;
        return;
      }
      log({ msg: 'answered 500', method: ctx.method, path: ctx.path, error: String(error) });
      ctx.status = 500;
      ctx.body = exceptionBody(ctx, error, core.version);
    }
  };
}

function exceptionBody(ctx: Context, error: unknown, version: string): object {
  const { message, name, stack } = error instanceof Error ? error : new Error(String(error));
  return {
    statusCode: 500,
    timestamp: new Date().toISOString(),
    exception: { message, name, stack },
    request: { path: ctx.path, method: ctx.method, body: ctx.state['body'], query: ctx.query },
    version: { version, engine: null, tier: 'SANDBOX' },
  };
}
