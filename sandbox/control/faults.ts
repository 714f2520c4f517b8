import { z } from 'zod';
import { newRouter, paramOf } from '../http/context.ts';
import { badRequest, notFound } from '../http/failures.ts';
import { RouteFault } from '../http/faults.ts';
import { parse } from '../http/parse.ts';
import type { Parts } from '../parts.ts';
import { WebhookFault } from '../webhooks/faults.ts';

/** Each kind of fault by the field that only it has, so that what is wrong is told of that kind and not of all. */
const FAULTS = {
  route: RouteFault,
  webhook: WebhookFault,
  refuse: z.object({ refuse: z.boolean() }),
  downMs: z.object({ downMs: z.number().int().min(1).max(600_000) }),
  clockAheadMs: z.object({ clockAheadMs: z.number().int() }),
};
const FIELDS = Object.keys(FAULTS);
const Named = z.record(z.string(), z.unknown());

export function faultRoutes(parts: Parts) {
  const { core, faults, webhookFaults, faultList, goDown } = parts;
  const router = newRouter();

  router.get('/sandbox/faults', (ctx) => {
    ctx.body = { faults: faultList.list() };
  });

  router.post('/sandbox/faults', (ctx) => {
    const fault = faultIn(ctx.state.body);
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

function faultIn(body: unknown): z.infer<(typeof FAULTS)[keyof typeof FAULTS]> {
  const named = Named.safeParse(body).data ?? {};
  const schema = Object.entries(FAULTS).find(([field]) => field in named)?.[1];
  if (schema === undefined) throw badRequest([`A fault has one of these fields: ${FIELDS.join(', ')}.`]);
  return parse(schema, named);
}
