import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from './logger.ts';
import type { HttpMetrics } from './metrics.ts';
import { UNMATCHED } from './request-state.ts';
import type { RequestState } from './request-state.ts';

/**
 * A browser takes no answer for anything else than its type says, tells no other page the address that it came from,
 * and comes back by https once it has come by it. Files of messages are shown by dashboards of other origins.
 */
const FOR_BROWSERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'cross-origin-resource-policy': 'cross-origin',
};

const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Gives every request an id (the client's or a new one), a logger that carries the id, one log line and one count. */
export function requestLog(logger: Logger, metrics: HttpMetrics): Middleware<RequestState> {
  return async (context, next) => {
    const startedAt = performance.now();
    const given = context.get('x-request-id');
    const requestId = SANE_ID.test(given) ? given : `req_${randomUUID()}`;
    const state = context.state;
    state.requestId = requestId;
    state.log = logger.child({ requestId });
    state.route = UNMATCHED;
    context.set('x-request-id', requestId);
    for (const [name, value] of Object.entries(FOR_BROWSERS)) context.set(name, value);
    try {
      await next();
    } finally {
      const ms = Math.round(performance.now() - startedAt);
      const { method, status } = context;
      metrics.observe({ method, route: state.route, status, ms });
      state.log.info({ method, route: state.route, status, ms, keyId: state.keyId }, 'request');
    }
  };
}
