import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../api/wire/logger.ts';
import { createMetrics, metricsText } from '../../api/wire/metrics/metrics.ts';
import { registerPoolGauges } from '../../api/wire/metrics/waiting-gauges.ts';
import type { Database } from '../../db/database.ts';
import { useMeter } from '../../domain/telemetry/meter.ts';
import { readMetrics } from './temporal-metrics.ts';

/** Serves `/metrics` of a worker, and `/livez`: that its process runs. Nothing else is there, and no key is asked for. */
export async function serveWorkerMetrics(
  { host, port }: { host: string; port: number },
  { database, temporalAddress, log }: { database: Pick<Database, 'pool'>; temporalAddress: string; log: Logger },
): Promise<{ port: number; close: () => Promise<void> }> {
  const metrics = createMetrics({ processMetrics: true });
  useMeter(metrics.meter);
  registerPoolGauges(metrics.registry, () => database.pool);
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' || (path !== '/metrics' && path !== '/livez')) {
      response.writeHead(404).end();
      return;
    }
    if (path === '/livez') {
      response.end();
      return;
    }
    metricsText(metrics, () => readMetrics(temporalAddress), log).then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  return {
    port: portOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
