import { newRouter } from '../http/context.ts';
import type { Context } from '../http/context.ts';
import type { Parts } from '../parts.ts';
import { failed } from './model.ts';
import type { ModelAnswer } from './model.ts';
import { CompletionRequest } from './request.ts';

export function llmRoutes({ model }: Parts) {
  const router = newRouter();

  router.get('/llm/v1/models', (ctx) => {
    ctx.body = { object: 'list', data: [{ id: 'sandbox-model', object: 'model', created: 0, owned_by: 'sandbox' }] };
  });

  router.post('/llm/v1/chat/completions', async (ctx) => {
    const parsed = CompletionRequest.safeParse(ctx.state.body);
    if (!parsed.success) return answer(ctx, failed(400, undefined, parsed.error.message));
    if (parsed.data.stream) return answer(ctx, failed(400, undefined, 'The sandbox model does not stream'));
    answer(ctx, await model.answer(parsed.data, ctx.get('authorization') !== ''));
  });

  return router;
}

function answer(ctx: Context, { status, body, retryAfter, cut = false }: ModelAnswer): void {
  if (cut) return breakOff(ctx, JSON.stringify(body));
  ctx.status = status;
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
  ctx.type = 'application/json';
  ctx.body = body;
}

function breakOff(ctx: Context, body: string): void {
  ctx.respond = false;
  ctx.res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  ctx.res.write(body.slice(0, body.length / 2), () => ctx.req.socket.destroy());
}
