import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  directory: () => Promise<string>;
  /** Has it stopped afterwards, even when the test fails in between. */
  stopLater: <Server extends { stop: () => Promise<void> }>(server: Server) => Server;
  clear: () => Promise<void>;
}

/** Directories and servers of a test file, all gone after `clear`. */
export function scratch(): Scratch {
  const servers: { stop: () => Promise<void> }[] = [];
  const directories: string[] = [];
  return {
    async directory() {
      const path = await mkdtemp(join(tmpdir(), 'embedded-test-'));
      directories.push(path);
      return path;
    },
    stopLater(server) {
      servers.push(server);
      return server;
    },
    async clear() {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(directories.map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}
