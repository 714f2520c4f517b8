import type { Context, Next } from 'koa';
import rawBody from 'raw-body';
import { badRequest, EngineFailure } from './failures.ts';

/** A larger body is answered with 500, as in the real backend, and not with 413. */
const LIMIT = '50mb';

export async function parseBody(ctx: Context, next: Next): Promise<void> {
  ctx.state['body'] = {};
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
    const text = await readText(ctx);
    if (text !== '') ctx.state['body'] = parse(text);
  }
  await next();
}

async function readText(ctx: Context): Promise<string> {
  try {
    return await rawBody(ctx.req, { limit: LIMIT, encoding: 'utf-8' });
  } catch (error) {
    if (error instanceof Error && error.message === 'request entity too large') {
      throw new EngineFailure('PayloadTooLargeError: request entity too large');
    }
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
}
