import { z } from 'zod';
import { newRouter } from '../http/context.ts';
import { ScriptedReply } from '../llm/script.ts';
import type { Parts } from '../parts.ts';
import { parseControl } from './parse-control.ts';

const Script = z.object({ replies: z.array(ScriptedReply) });

export function llmControlRoutes({ model }: Parts) {
  const router = newRouter();

  router.get('/sandbox/llm/calls', (ctx) => {
    ctx.body = { calls: model.calls };
  });

  router.post('/sandbox/llm/script', (ctx) => {
    const { replies } = parseControl(Script, ctx.state.body);
    model.script.push(...replies);
    ctx.status = 201;
    ctx.body = { waiting: model.script.length };
  });

  router.delete('/sandbox/llm', (ctx) => {
    model.forget();
    ctx.status = 204;
  });

  return router;
}
