import { z } from 'zod';
import { newRouter, paramOf } from '../http/context.ts';
import { badRequest, notFound } from '../http/failures.ts';
import { CLOCK_ID, REFUSAL_ID } from '../http/fault-list.ts';
import { RouteFault } from '../http/faults.ts';
import type { Parts } from '../parts.ts';
import { WebhookFault } from '../webhooks/faults.ts';
import { Nothing, parseControl, parseQuery } from './parse-control.ts';

/** Each kind of fault by the field that only it has, so that what is wrong is told of that kind and not of all. */
const FAULTS = {
  route: RouteFault,
  webhook: WebhookFault,
  refuse: z.object({ refuse: z.boolean() }),
  downMs: z.object({ downMs: z.number().int().min(1).max(600_000) }),
  clockAheadMs: z.object({ clockAheadMs: z.number().int() }),
};
type Fault = z.infer<(typeof FAULTS)[keyof typeof FAULTS]>;
const FIELDS = Object.keys(FAULTS);
const Named = z.record(z.string(), z.unknown());

/** `segments` are those of the backend's routes, one of which a fault on a route names. */
export function faultRoutes(parts: Parts, segments: readonly string[]) {
  const { core, sessions, faults, webhookFaults, faultList, goDown } = parts;
  const router = newRouter();

  /** A fault that can never strike leaves a test green and tells nobody. */
  const demandThatItCanStrike = (fault: Fault): void => {
    if ('route' in fault && fault.route !== '*' && !segments.includes(fault.route)) {
      throw badRequest([
        `route: no route of the backend contains "${fault.route}". It may be * for all, or one of ${segments.join(', ')}.`,
      ]);
    }
    if ('session' in fault && fault.session !== undefined) sessions.demandNamed(fault.session);
  };

  /** Answers the id by which the fault can be ended; null when it has ended one. */
  const arm = (fault: Exclude<Fault, { downMs: number }>): string | null => {
    if ('route' in fault) return faultList.idOf(faults.arm(fault));
    if ('webhook' in fault) {
      webhookFaults.arm(fault);
      return faultList.idOf(fault);
    }
    if ('refuse' in fault) {
      faults.refusing = fault.refuse;
      return fault.refuse ? REFUSAL_ID : null;
    }
    core.clock.aheadMs = fault.clockAheadMs;
    return fault.clockAheadMs === 0 ? null : CLOCK_ID;
  };

  router.get('/sandbox/faults', (ctx) => {
    parseQuery(Nothing, ctx.query);
    ctx.body = { faults: faultList.list() };
  });

  router.post('/sandbox/faults', (ctx) => {
    const fault = faultIn(ctx.state.body);
    demandThatItCanStrike(fault);
    // The answer goes out first, because going down closes the listener that the request came through.
    if ('downMs' in fault) ctx.res.once('finish', () => goDown(fault.downMs));
    ctx.status = 201;
    ctx.body = { id: 'downMs' in fault ? null : arm(fault), ...fault };
  });

  router.delete('/sandbox/faults/:id', (ctx) => {
    if (!faultList.end(paramOf(ctx, 'id'))) throw notFound('Fault not found');
    ctx.status = 204;
  });

  router.delete('/sandbox/faults', (ctx) => {
    parseQuery(Nothing, ctx.query);
    faults.clear();
    webhookFaults.clear();
    core.clock.aheadMs = 0;
    ctx.status = 204;
  });

  return router;
}

function faultIn(body: unknown): Fault {
  const named = Named.safeParse(body).data ?? {};
  const schema = Object.entries(FAULTS).find(([field]) => field in named)?.[1];
  if (schema === undefined) throw badRequest([`A fault has one of these fields: ${FIELDS.join(', ')}.`]);
  return parseControl(schema, named);
}
