import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { shellEnvironment } from '../../bin/cli/env.ts';
import { loadConfig } from '../../config/config.ts';

describe('./engine env', () => {
  let directory: string;
  /** An engine whose keys are not those of the directory. */
  const other = createServer(({ url }, response) => response.writeHead(url === '/livez' ? 200 : 401).end('{}'));
  /** The engine of the directory, which has suspended the dashboard. */
  const suspending = createServer(({ headers }, response) => {
    const isDashboard = headers['x-api-key'] === 'a key of a dashboard';
    response.writeHead(isDashboard ? 403 : 200, { 'content-type': 'application/problem+json' });
    response.end(
      isDashboard
        ? '{"code":"dashboard_suspended","detail":"It is suspended.","status":403}'
        : '{"dashboards":[],"dashboardUrl":"http://127.0.0.1:1/"}',
    );
  });

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'engine-env-'));
    for (const name of ['engine-api-key', 'internal-psk'])
      writeFileSync(join(directory, name), 'a key of the directory');
    for (const server of [other, suspending]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
    other.close();
    suspending.close();
  });

  it('says so where the engine at the address is that of another data directory', async () => {
    const { port } = other.address() as AddressInfo;
    const config = loadConfig({ DATA_DIR: directory, PORT: String(port) });
    await expect(shellEnvironment(config)).rejects.toThrow(
      /is the engine of another data directory: start this one with npm start/,
    );
  });

  it('keeps the key of a dashboard that is refused for now, and says why', async () => {
    writeFileSync(join(directory, 'demo-key'), 'a key of a dashboard');
    const { port } = suspending.address() as AddressInfo;
    const config = loadConfig({ DATA_DIR: directory, PORT: String(port) });
    const { lines, notes } = await shellEnvironment(config);
    expect(lines).toContain("export KEY='a key of a dashboard'");
    expect(notes[0]).toMatch(/^The engine refuses the key in .*demo-key: It is suspended\./m);
  });
});
