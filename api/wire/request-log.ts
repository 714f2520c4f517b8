import { randomUUID } from 'node:crypto';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Logger } from './logger.ts';
import { noteRequest } from './metrics/metrics.ts';
import type { Metrics } from './metrics/metrics.ts';
import { inSpan, parseTraceparent, TRACEPARENT } from '../../domain/telemetry/tracing.ts';
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
export function requestLog(logger: Logger, metrics: Metrics): Middleware<RequestState> {
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
      await traced(context, next);
    } finally {
      const ms = Math.round(performance.now() - startedAt);
      const { method, status } = context;
      noteRequest(metrics, { method, route: state.route, status, ms });
      state.log.info({ method, route: state.route, status, ms, keyId: state.keyId }, 'request');
    }
  };
}

/** Requests of clients are traced, in the trace that they name; what the backend tells and what probes ask is not. */
function traced(context: ParameterizedContext<RequestState>, next: () => Promise<unknown>): Promise<unknown> {
  if (!context.path.startsWith('/api/')) return next();
  const given = context.get(TRACEPARENT);
  const parent = parseTraceparent(given) === undefined ? undefined : given;
  const { method } = context;
  const attributes = { 'http.request.method': method };
  return inSpan({ name: method, kind: 'server', parent, attributes }, async (span) => {
    try {
      await next();
    } finally {
      const { status, state } = context;
      span.rename(`${method} ${state.route}`);
      span.set('http.route', state.route);
      span.set('http.response.status_code', status);
      if (status >= 500) span.fail(String(status));
    }
  });
}
