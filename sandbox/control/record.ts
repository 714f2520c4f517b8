import { newRouter, queryOf } from '../http/context.ts';
import type { Parts } from '../parts.ts';

export function recordRoutes({ core, calls }: Parts) {
  const router = newRouter();

  router.get('/sandbox/record', (ctx) => {
    const session = queryOf(ctx, 'session');
    ctx.body = {
      sends: core.world.sends.filter((send) => session === undefined || send.session === session),
      calls: calls.of(session),
    };
  });

  router.delete('/sandbox/record', (ctx) => {
    calls.clear();
    ctx.status = 204;
  });

  return router;
}
