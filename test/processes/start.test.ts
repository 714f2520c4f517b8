import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REGISTER } from '../../bin/screen/first-steps.ts';
import { freePort } from '../../local/embedded/port.ts';
import { findTemporal } from '../../local/embedded/temporal/binary.ts';
import { EngineProcess, removeMachine } from '../../tools/demo/engine-process.ts';
import type { Machine } from '../../tools/demo/engine-process.ts';
import { aMachine, shown } from '../support/engine-process.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';

/** The servers of a data directory: its path stands in their command lines. */
async function processesOf({ dataDir }: Machine): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'pid=,command=']);
  return stdout.split('\n').filter((line) => line.includes(dataDir));
}

/** A process that has ended may still stand in the list for a moment. */
async function untilNoneOf(machine: Machine): Promise<void> {
  await eventually(async () => (await processesOf(machine)).length === 0, { what: 'no process to be left' });
}

/** A Temporal program whose server begins to start only when it is told to. */
async function aLateTemporal({ dataDir }: Machine): Promise<{ path: string; begin: () => Promise<void> }> {
  const program = await findTemporal({
    kind: 'cli',
    cliPath: process.env['TEMPORAL_CLI_PATH'],
    pathVariable: process.env['PATH'],
    env: process.env,
    cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
    log: () => undefined,
  });
  const [path, go] = [join(dataDir, 'late-temporal'), join(dataDir, 'go')];
  const waits = `[ "$1" = server ] && until [ -e "${go}" ]; do sleep 0.1; done`;
  await writeFile(path, `#!/bin/sh\n${waits}\nexec "${program}" "$@"\n`, { mode: 0o755 });
  return { path, begin: () => writeFile(go, '') };
}

describe('npm start', () => {
  let machine: Machine;
  let engine: EngineProcess;

  // The engine starts beside a Temporal that is late, so that each of these tests is one of that, too.
  beforeAll(async () => {
    machine = await aMachine({ METRICS_PORT: String(await freePort()) });
    const late = await aLateTemporal(machine);
    machine = { ...machine, environment: { ...machine.environment, TEMPORAL_CLI_PATH: late.path } };
    engine = EngineProcess.spawn(machine);
    const log = join(machine.dataDir, 'engine.log');
    const delivers = async (): Promise<boolean> =>
      (await readFile(log, 'utf8').catch(() => '')).includes('"stage":"deliveries"');
    await eventually(delivers, {
      // The start of a whole engine, on a busy machine.
      withinMs: 180_000,
      what: 'deliveries, which do not wait for Temporal',
    });
    await eventually(async () => (await call(machine, 'GET', '/livez')).status === 200, { what: 'the API' });
    expect(engine.output).not.toContain('Temporal started');
    await late.begin();
    await eventually(() => engine.output.includes('Stop with Ctrl-C'), { withinMs: 180_000 });
  });
  afterAll(async () => {
    await engine.signal('SIGTERM');
    await removeMachine(machine);
  });

  it('shows addresses, keys and the lines that send a first message', () => {
    expect(engine.output).toContain(`${machine.url}/docs`);
    expect(engine.output).toContain('Temporal UI');
    expect(engine.output.match(/curl -sS/g)).toHaveLength(3);
    expect(engine.output).toContain(REGISTER);
    expect(shown(engine, 'Master key').length).toBeGreaterThanOrEqual(32);
  });

  it('shows a line for each stage of the start, with the time since the process began', () => {
    const lines = engine.output.split('\n').filter((line) => /^ +\d+\.\d s {2}/.test(line));
    const stages = lines.map((line) => line.replace(/^ +\d+\.\d s {2}/, '').replace(/ on port \d+/, ''));
    expect(stages[0]).toBe('Loading the program');
    expect(stages.toSorted()).toEqual([
      'API accepts requests',
      'Connected to Temporal',
      'Connected to the database',
      'Creating the embedded PostgreSQL database',
      'Database schema is up to date',
      'Delivering webhooks',
      'Loading the program',
      'PostgreSQL started',
      'Program loaded',
      'Sandbox started: a simulated network and model',
      'Temporal started',
      'Workers are running',
    ]);
    const times = lines.map((line) => Number.parseFloat(line));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // The time of the whole goes by the same clock.
    const ready = Number(/ready in (\d+\.\d) s/.exec(engine.output)?.[1]);
    expect(ready).toBeGreaterThanOrEqual(times.at(-1) ?? Number.NaN);
  });

  it('has nothing to warn of in its log', async () => {
    const log = await readFile(join(machine.dataDir, 'engine.log'), 'utf8');
    expect(log.split('\n').filter((line) => line !== '' && !/^\{"level":"(info|debug)"/.test(line))).toEqual([]);
  });

  it('answers for its health, its metrics and its description', async () => {
    expect((await call(machine, 'GET', '/livez')).status).toBe(200);
    const ready = await call(machine, 'GET', '/readyz');
    expect(ready.status).toBe(200);
    expect(ready.body).toMatchObject({
      dependencies: [
        { name: 'database', ok: true },
        { name: 'temporal', ok: true },
        { name: 'backend', ok: true },
        { name: 'repairs', ok: true },
        { name: 'work', ok: true },
      ],
    });
    expect((await call(machine, 'GET', '/metrics')).status).toBe(404);
    const metrics = await fetch(`http://127.0.0.1:${machine.environment['METRICS_PORT']}/metrics`);
    expect(await metrics.text()).toContain('temporal_');
    expect((await call(machine, 'GET', '/openapi.json')).body['openapi']).toMatch(/^3\.1\./);
    expect((await call(machine, 'GET', '/docs')).status).toBe(200);
  });

  /** Runs a command as it is typed on this machine: nothing but the data directory says where the engine is. */
  async function typed(variables: Record<string, string>, ...words: string[]) {
    const { PATH = '', HOME = '' } = machine.environment;
    const environment = { PATH, HOME, DATA_DIR: machine.dataDir, ...variables };
    const command = EngineProcess.spawn({ ...machine, environment }, words);
    return { code: await command.exited(), output: command.output };
  }

  it('works in its database without the rights of a superuser, as do its commands', async () => {
    const rights = 'select rolsuper, rolbypassrls from pg_roles where rolname = current_user';
    expect((await typed({}, 'sql', rights)).output).toContain('{"rolsuper":false,"rolbypassrls":false}');
    const { code, output } = await typed({}, 'sql', `copy (select 1) to program 'true'`);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining('permission denied') });
    const engines = `pg_stat_activity where application_name like 'engine%'`;
    const { output: roles } = await typed({}, 'sql', `select distinct usename::text as role from ${engines}`);
    expect(roles.trim().split('\n')).toEqual(['{"role":"engine"}', '1 row.']);
  });

  it('is found by its data directory: how everything is, in ten lines', async () => {
    const { code, output } = await typed({}, 'status');
    expect(output).toMatch(/^Engine .* process \d+ since /);
    expect(output.trim().split('\n')).toHaveLength(10);
    expect(output).toContain(`API        ${machine.url} is ready`);
    expect(code).toBe(0);
    expect(output).not.toContain(shown(engine, 'Master key'));
    expect((await stat(join(machine.dataDir, 'engine.json'))).mode & 0o777).toBe(0o600);
  });

  it('is found by its data directory: Temporal’s own command line', async () => {
    const listed = await typed({}, 'temporal', 'operator', 'namespace', 'list', '--output', 'json');
    expect(listed).toMatchObject({ code: 0, output: expect.stringContaining('"default"') });
    expect((await typed({}, 'temporal', '--help')).output).toContain('Temporal CLI');
    expect((await typed({}, 'temporal', 'no-such-command')).code).toBe(1);
  });

  it('tells a shell at which port the dashboard expects its receiver, and where the shell has another', async () => {
    expect((await typed({}, 'env')).output).toContain('RECEIVER_PORT:-4000}');
    // The shell that writes the dashboard's key there keeps the mode.
    expect((await stat(join(machine.dataDir, 'demo-key'))).mode & 0o777).toBe(0o600);
    const [dashboardUrl, psk] = ['http://127.0.0.1:4999/events', shown(engine, 'PSK')];
    const body = { agencyId: 'demo', dashboardName: 'Demo', dashboardUrl, webhookSecret: 's'.repeat(32) };
    const headers = { authorization: `PSK ${psk}` };
    expect((await call(machine, 'POST', '/v1/internal/dashboard/register', { body, headers })).status).toBe(200);
    const { output } = await typed({}, 'env');
    expect(output).toContain('RECEIVER_PORT:-4999}');
    expect(output).not.toContain('RECEIVER_PORT is');
    const elsewhere = await typed({ RECEIVER_PORT: '4001' }, 'env');
    expect(elsewhere.output).toContain("RECEIVER_PORT is 4001 here, and the dashboard's events go to port 4999");
  });

  it('refuses a second engine on the same data directory in one sentence', async () => {
    const second = EngineProcess.spawn({
      ...machine,
      environment: { ...machine.environment, PORT: String(await freePort()) },
    });
    expect(await second.exited()).toBe(1);
    expect(second.output.trim()).toMatch(/^.*data directory.*$/m);
    expect(second.output).not.toContain('    at ');
  });

  it('names the variable of a port that is taken', async () => {
    const other = await aMachine({ PORT: new URL(machine.url).port });
    const refused = EngineProcess.spawn(other);
    expect(await refused.exited()).toBe(1);
    expect(refused.output).toContain('PORT');
    expect(refused.output).not.toContain('    at ');
    await removeMachine(other);
  });

  it('names the variable when the Temporal program is missing', async () => {
    const other = await aMachine({ TEMPORAL_CLI_PATH: '/nowhere/temporal' });
    const refused = EngineProcess.spawn(other);
    expect(await refused.exited()).toBe(1);
    expect(refused.output).toContain('TEMPORAL_CLI_PATH');
    expect(refused.output).not.toContain('    at ');
    await removeMachine(other);
  });

  it('leaves no server behind when it is interrupted while it starts', async () => {
    const other = await aMachine();
    const interrupted = EngineProcess.spawn(other);
    await eventually(() => interrupted.output.includes('Creating'), { withinMs: 180_000, what: 'its PostgreSQL' });
    expect(await interrupted.signal('SIGINT')).toBe(0);
    expect(interrupted.output).not.toContain('    at ');
    await untilNoneOf(other);
    await removeMachine(other);
  });

  it('says so when the sandbox port is taken, and leaves no process behind', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const other = await aMachine({ SANDBOX_PORT: String(port) });
    const refused = EngineProcess.spawn(other);
    expect(await refused.exited()).toBe(1);
    expect(refused.output).toContain('SANDBOX_PORT');
    await untilNoneOf(other);
    blocker.close();
    await removeMachine(other);
  });
});
