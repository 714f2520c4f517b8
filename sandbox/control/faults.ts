import { z } from 'zod';
import { newRouter, paramOf } from '../http/context.ts';
import { notFound } from '../http/failures.ts';
import { RouteFault } from '../http/faults.ts';
import { parse } from '../http/parse.ts';
import type { Parts } from '../parts.ts';
import { WebhookFault } from '../webhooks/faults.ts';

const Fault = z.union([
  RouteFault,
  WebhookFault,
  z.object({ refuse: z.boolean() }),
  z.object({ downMs: z.number().int().min(1).max(600_000) }),
  z.object({ clockAheadMs: z.number().int() }),
]);

export function faultRoutes(parts: Parts) {
  const { core, faults, webhookFaults, faultList, goDown } = parts;
  const router = newRouter();

  router.get('/sandbox/faults', (ctx) => {
    ctx.body = { faults: faultList.list() };
  });

  router.post('/sandbox/faults', (ctx) => {
    const fault = parse(Fault, ctx.state.body);
    if ('route' in fault) faults.arm(fault);
    else if ('webhook' in fault) webhookFaults.arm(fault);
    else if ('refuse' in fault) faults.refusing = fault.refuse;
    else if ('clockAheadMs' in fault) core.clock.aheadMs = fault.clockAheadMs;
    // The answer goes out first, because going down closes the listener that the request came through.
    else ctx.res.once('finish', () => goDown(fault.downMs));
    ctx.status = 201;
    ctx.body = fault;
  });

  router.delete('/sandbox/faults/:id', (ctx) => {
    if (!faultList.end(paramOf(ctx, 'id'))) throw notFound('Fault not found');
    ctx.status = 204;
  });

  router.delete('/sandbox/faults', (ctx) => {
    faults.clear();
    webhookFaults.clear();
    core.clock.aheadMs = 0;
    ctx.status = 204;
  });

  return router;
}
