import { z } from 'zod';
import { newRouter } from '../http/context.ts';
import type { Parts } from '../parts.ts';
import { Nothing, parseQuery } from './parse-control.ts';

/** Selects a record by its owner, a part of it, and the number of its latest rows; omitted fields select all. */
const Asked = z.object({
  session: z.string().optional(),
  part: z.enum(['sends', 'calls']).optional(),
  limit: z.coerce.number().int().min(1).optional(),
});

export function recordRoutes({ core, sessions, calls }: Parts) {
  const router = newRouter();

  router.get('/sandbox/record', (ctx) => {
    const { session, part, limit } = parseQuery(Asked, ctx.query);
    const record = {
      sends: core.world.sends.filter((send) => session === undefined || send.session === session),
      calls: calls.of(session),
    };
    // A session that was deleted has its record still.
    if (session !== undefined && record.sends.length + record.calls.length === 0) sessions.demandNamed(session);
    const sends = record.sends.slice(-(limit ?? record.sends.length));
    const latestCalls = record.calls.slice(-(limit ?? record.calls.length));
    ctx.body = {
      ...(part === 'calls' ? {} : { sends }),
      ...(part === 'sends' ? {} : { calls: latestCalls }),
    };
  });

  router.delete('/sandbox/record', (ctx) => {
    parseQuery(Nothing, ctx.query);
    calls.clear();
    ctx.status = 204;
  });

  return router;
}
