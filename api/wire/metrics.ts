import type Router from '@koa/router';
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Logger } from './logger.ts';
import type { RequestState } from './request-state.ts';

export interface HttpMetrics {
  registry: Registry;
  observe(request: { method: string; route: string; status: number; ms: number }): void;
}

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Makes the metrics of one app, with a registry of its own, because a process may hold several apps. At most one of
 * these may have `processMetrics`.
 */
export function createMetrics(options: { registry?: Registry; processMetrics?: boolean } = {}): HttpMetrics {
  const registry = options.registry ?? new Registry();
  if (options.processMetrics === true) collectDefaultMetrics({ register: registry });
  const labelNames = ['method', 'route', 'status'] as const;
  const requests = new Counter({
    name: 'engine_http_requests_total',
    help: 'Requests answered, by route template.',
    labelNames,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'engine_http_request_duration_seconds',
    help: 'Time from the request to the end of the answer, by route template.',
    labelNames,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    observe({ method, route, status, ms }) {
      const labels = { method, route, status: String(status) };
      requests.inc(labels);
      duration.observe(labels, ms / 1_000);
    },
  };
}

/** The engine's numbers, followed by those of another source; when that one fails, a comment takes their place. */
async function metricsText(
  metrics: HttpMetrics,
  extraMetrics: (() => Promise<string>) | undefined,
  log: Logger,
): Promise<string> {
  const own = await metrics.registry.metrics();
  if (extraMetrics === undefined) return own;
  try {
    return `${own}\n${await extraMetrics()}`;
  } catch (error) {
    log.warn({ err: error }, 'extra metrics could not be read');
    return `${own}\n# extra metrics could not be read\n`;
  }
}

export function mountMetrics(
  router: Router<RequestState>,
  metrics: HttpMetrics,
  extraMetrics: (() => Promise<string>) | undefined,
): void {
  router.get('/metrics', async (context) => {
    context.state.route = '/metrics';
    context.body = await metricsText(metrics, extraMetrics, context.state.log);
    context.set('content-type', metrics.registry.contentType);
  });
}
