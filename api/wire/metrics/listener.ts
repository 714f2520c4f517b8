import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from '../logger.ts';
import { metricsText } from './metrics.ts';
import type { ExtraMetrics, Metrics } from './metrics.ts';

/** The address at which a process shows its metrics. */
export interface MetricsAddress {
  host: string;
  port: number;
  /** False where nobody has asked for this port: a process goes without the listener if another program has it. */
  required: boolean;
  /** The connections that get nothing here. */
  refuses?: (socket: Socket) => boolean;
}

export interface MetricsListener {
  /** Null where the port was taken and is not required. */
  port: number | null;
  close(): Promise<void>;
}

const NONE: MetricsListener = { port: null, close: async () => undefined };

/**
 * Serves `/metrics` and `/livez` on a listener of their own. Metrics name agencies with what they spend and take no
 * key, so the listener of the API must not have them.
 */
export async function serveMetrics(
  { host, port, required, refuses }: MetricsAddress,
  { metrics, extraMetrics, log }: { metrics: Metrics; extraMetrics?: ExtraMetrics | undefined; log: Logger },
): Promise<MetricsListener> {
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
    metricsText(metrics, extraMetrics, log).then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      (error: unknown) => {
        log.warn({ err: error }, 'the metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  server.on('connection', (socket) => {
    if (refuses?.(socket) === true) socket.destroy();
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  try {
    await listening.promise;
  } catch (error) {
    if (required || !isTaken(error)) throw error;
    log.warn({ host, port }, 'metrics are not served: another program has the port. Set METRICS_PORT to a free one.');
    return NONE;
  }
  return {
    port: portOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function portOf(address: string | AddressInfo | null): number | null {
  return typeof address === 'object' && address !== null ? address.port : null;
}
