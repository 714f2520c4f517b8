import { z } from 'zod';
import { newRouter } from '../http/context.ts';
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

export function faultRoutes({ core, faults, webhookFaults, goDown }: Parts) {
  const router = newRouter();

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

  router.delete('/sandbox/faults', (ctx) => {
    faults.clear();
    webhookFaults.clear();
    core.clock.aheadMs = 0;
    ctx.status = 204;
  });

  return router;
}
