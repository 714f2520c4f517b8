import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from './app.ts';

/**
 * Node's own default would wait five minutes for a request. The keep-alive is longer than that of common load balancers
 * (60 s), so that they never reuse a connection that the engine is closing.
 */
const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
const CLOSE_WITHIN_MS = 10_000;

export interface RunningServer {
  url: string;
  port: number;
  /** Takes no more connections, lets running requests end for at most ten seconds, then cuts them. */
  close(): Promise<void>;
}

export async function listen(
  app: App,
  { timeouts, ...address }: { host: string; port: number; timeouts?: Partial<typeof TIMEOUTS> | undefined },
): Promise<RunningServer> {
  const server = createServer({ ...TIMEOUTS, ...timeouts }, app.handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const port = portOf(server.address());
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return {
    url: `http://${host}:${port}`,
    port,
    close: async () => {
      await closeServer(server);
      await app.close();
    },
  };
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function closeServer(server: Server): Promise<void> {
  const deadline = performance.now() + CLOSE_WITHIN_MS;
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      isClosed = true;
      resolve();
    });
  });
  // A connection becomes idle when its request ends; without this loop the connection would stay open until its
  // keep-alive is over.
  while (!isClosed && performance.now() < deadline) {
    server.closeIdleConnections();
    await Promise.race([closed, sleep(50)]);
  }
  server.closeAllConnections();
  await closed;
}
