import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { chmod, readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startTemporal } from '../../../../local/embedded/temporal/temporal.ts';
import type { EmbeddedTemporal, TemporalOptions } from '../../../../local/embedded/temporal/temporal.ts';
import { findTemporal } from '../../../../local/embedded/temporal/binary.ts';
import { eventually } from '../../../support/eventually.ts';
import { otherEngine } from '../postgres/killed-engine.ts';
import { scratch } from '../scratch.ts';

const { directory, stopLater, clear } = scratch();
const log = () => undefined;
let binary: string;

beforeAll(async () => {
  binary = await findTemporal({
    kind: 'cli',
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    pathVariable: process.env['PATH'],
    env: process.env,
    cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
    log,
  });
});
afterAll(clear);

async function start(dataDir: string, more: Partial<TemporalOptions> = {}): Promise<EmbeddedTemporal> {
  const searchAttributes = { AgencyId: 'Keyword' } as const;
  return stopLater(await startTemporal({ binary, dataDir, namespace: 'engine', searchAttributes, log, ...more }));
}

async function withClient<Result>(server: EmbeddedTemporal, use: (client: Client) => Promise<Result>): Promise<Result> {
  const connection = await Connection.connect({ address: server.address });
  try {
    return await use(new Client({ connection, namespace: 'engine' }));
  } finally {
    await connection.close();
  }
}

const startWorkflow = (client: Client) =>
  client.workflow.start('anything', {
    workflowId: 'message/1',
    taskQueue: 'nobody-listens',
    typedSearchAttributes: [{ key: defineSearchAttributeKey('AgencyId', 'KEYWORD'), value: 'agency-1' }],
  });

const status = (client: Client) => client.workflow.getHandle('message/1').describe();

function signalAndWait(server: EmbeddedTemporal, name: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    server.onExit(resolve);
    process.kill(server.pid, name);
  });
}

/** Its web UI may listen a moment later than the server itself. */
function untilShown({ uiUrl }: EmbeddedTemporal): Promise<boolean> {
  const isShown = async (): Promise<boolean> => (await fetch(uiUrl ?? '').catch(() => null))?.status === 200;
  return eventually(isShown, { what: 'the web UI' });
}

async function listening(): Promise<{ port: number; close: () => void }> {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  return { port: typeof address === 'object' && address ? address.port : 0, close: () => taken.close() };
}

describe('the embedded Temporal', () => {
  it('takes a workflow with our search attributes as soon as it is started, and shows its web UI', async () => {
    const server = await start(await directory());
    expect(server.attached).toBe(false);
    await withClient(server, async (client) => {
      await startWorkflow(client);
      const { namespaceInfo, config } = await client.workflowService.describeNamespace({ namespace: 'engine' });
      expect(namespaceInfo?.name).toBe('engine');
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(7 * 24 * 3600);
    });
    await untilShown(server);
    await server.stop();
    await expect(fetch(server.uiUrl ?? '')).rejects.toThrow();
  });

  it('is taken over after the engine that started it was killed, and stopped by its new owner', async () => {
    const dataDir = await directory();
    const other = await otherEngine('temporal', dataDir, binary);
    await other.kill();
    const server = await start(dataDir);
    expect(server).toMatchObject({ attached: true, pid: other.serverPid });
    await untilShown(server);
    await server.stop();
    const again = await start(dataDir);
    expect(again.attached).toBe(false);
  });

  it('is replaced, not taken over, when it lacks a search attribute we need', async () => {
    const dataDir = await directory();
    const other = await otherEngine('temporal', dataDir, binary);
    await other.kill();
    const server = await start(dataDir, { searchAttributes: { AgencyId: 'Keyword', Outcome: 'Keyword' } });
    expect(server.attached).toBe(false);
    expect(server.pid).not.toBe(other.serverPid);
  });

  it('tells when it was killed, and comes back with its open workflows', async () => {
    const dataDir = await directory();
    const before = await start(dataDir);
    await withClient(before, startWorkflow);
    await signalAndWait(before, 'SIGKILL');
    const stores = async () => (await readdir(dataDir)).filter((name) => /^temporal-\d+\.\d+\.\d+.*\.db/.test(name));
    const modes = async () =>
      Promise.all((await stores()).map(async (name) => (await stat(join(dataDir, name))).mode & 0o777));
    expect(new Set(await modes())).toEqual(new Set([0o600]));
    // 0.1.0 made them readable for everybody.
    for (const name of await stores()) await chmod(join(dataDir, name), 0o644);
    const after = await start(dataDir);
    expect(after.attached).toBe(false);
    expect((await withClient(after, status)).status.name).toBe('RUNNING');
    expect(new Set(await modes())).toEqual(new Set([0o600]));
  });

  it('runs without web UI and without a file where asked to', async () => {
    const dataDir = await directory();
    const server = await start(dataDir, { headless: true, inMemory: true });
    expect(server.uiUrl).toBeNull();
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.db'))).toEqual([]);
  });

  it('says which variable to change when a port asked for is taken', async () => {
    const dataDir = await directory();
    const { port, close } = await listening();
    await expect(start(dataDir, { port })).rejects.toThrow(new RegExp(`Port ${port} .*TEMPORAL_PORT`));
    await expect(start(dataDir, { uiPort: port })).rejects.toThrow(new RegExp(`Port ${port} .*TEMPORAL_UI_PORT`));
    close();
  });

  it('says what Temporal disliked when it does not start', async () => {
    const broken = start(await directory(), { dynamicConfig: { 'not a key=': 'x' }, namespace: '' });
    await expect(broken).rejects.toThrow(/TEMPORAL_ADDRESS/);
  });
});
