import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createApp } from './app.ts';
import { withDefaults } from './options.ts';
import type { SandboxOptions, Settings } from './options.ts';
import { createParts } from './parts.ts';
import type { Parts } from './parts.ts';
import { openJournal } from './state/journal.ts';

export type { SandboxOptions } from './options.ts';

export interface Sandbox {
  url: string;
  port: number;
  close(): Promise<void>;
}

/** Longer than callers keep a connection that rests, or a call may meet a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;

/** Starts the simulated messaging backend and model; the journal, if any, brings its former state back. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const settings = withDefaults(options);
  const journal = openJournal(settings.journalPath);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS });
  const parts = createParts(settings, journal, (ms) => goDown(server, parts, settings.host, ms));
  const callback = createApp(parts).callback();
  server.on('request', (req, res) => void callback(req, res));
  const port = await listen(server, settings);
  parts.core.url = `http://${settings.host}:${port}`;
  for (const session of parts.core.world.sessions.values()) {
    parts.lifecycle.resume(session);
    parts.aftermath.resume(session);
  }
  return {
    url: parts.core.url,
    port,
    close: async () => {
      parts.core.timers.clear();
      await parts.core.webhooks.close();
      await closeServer(server);
      journal.close();
    },
  };
}

function listen(server: Server, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Closes the listener for a while, so that callers get a real ECONNREFUSED, also on the control API. */
function goDown(server: Server, parts: Parts, host: string, ms: number): void {
  const port = Number(new URL(parts.core.url).port);
  server.close();
  server.closeAllConnections();
  parts.core.timers.after(ms, () => {
    server.once('error', (error) => parts.core.settings.log({ msg: 'could not listen again', error: String(error) }));
    server.listen(port, host);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A server that is down already reports an error here, which does no harm.
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
