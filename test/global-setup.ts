import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { bundledWorkflows } from '../bin/bundle.ts';
import { migrate } from '../db/migrate.ts';
import { useEngineRole } from '../db/operations/engine-role.ts';
import { startPostgres } from '../local/embedded/postgres/postgres.ts';
import { findTemporal } from '../local/embedded/temporal/binary.ts';
import type { TemporalKind } from '../local/embedded/temporal/release.ts';
import { startTemporal } from '../local/embedded/temporal/temporal.ts';
import { namespaceName, NAMESPACES, TEMPLATE } from './support/servers.ts';

/** Temporal is as quick as a test wants it: with its timers, and to give a failed workflow task out again. */
const QUICK = { 'history.timerProcessorMaxTimeShift': '100ms', 'history.workflowTaskRetryMaxInterval': '100ms' };
/**
 * PostgreSQL loses everything when the machine goes down, which no test does. It finds a deadlock at once, and does not clean
 * up some two hundred databases in turn, at moments that no test chooses. Its list of statements has room for those of all
 * files: a full one forgets some, and a test that counts would count too few.
 */
const UNSAFE_AND_QUICK = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  deadlock_timeout: '20ms',
  autovacuum: 'off',
  'pg_stat_statements.max': '50000',
  // A clone copies the files of the template (`servers.ts`), so the log needs none of their pages.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
};
const BASE64 = 'base64,';
const quiet = (): void => undefined;
/** A shell's exit code for a command that an interrupt has ended. */
const INTERRUPTED = 130;

/**
 * One real PostgreSQL, one real Temporal server and one bundle of the workflows for the whole run; files get a clone and
 * a namespace each.
 */
export default function setUp(): Promise<void> {
  return startTestServers();
}

/** `dynamicConfig` is Temporal's. */
export async function startTestServers(dynamicConfig: Record<string, number | string> = {}): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-test-'));
  // Steps that a code error can break come before the servers, which nobody would stop then.
  const [binary, timeSkippingServer, workflowBundle] = await Promise.all([
    find('cli', process.env['TEMPORAL_CLI_PATH']),
    find('test-server', undefined),
    bundleWorkflows(directory),
  ]);
  const [postgres, temporal] = await Promise.all([
    startPostgres({ dataDir: directory, settings: UNSAFE_AND_QUICK, log: quiet }),
    startTemporal({
      binary,
      dataDir: directory,
      namespace: namespaceName(0),
      searchAttributes: {},
      headless: true,
      inMemory: true,
      dynamicConfig: { ...QUICK, ...dynamicConfig },
      log: quiet,
    }),
  ]);
  const databaseUrl = await makeRole(postgres.url);
  await makeTemplate(databaseUrl);
  await registerNamespaces(temporal.address);
  process.env['TEST_POSTGRES_URL'] = databaseUrl;
  process.env['TEST_POSTGRES_SUPERUSER_URL'] = postgres.url;
  process.env['TEST_TEMPORAL_ADDRESS'] = temporal.address;
  process.env['TEST_TEMPORAL_CLI'] = binary;
  process.env['TEST_TIME_SKIPPING_SERVER'] = timeSkippingServer;
  process.env['TEST_WORKFLOW_BUNDLE'] = workflowBundle;
  process.env['TEST_COMPILED'] = join(directory, 'compiled');
  let stopped: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    const spent = { PostgreSQL: cpuOfServer(postgres.pid), Temporal: cpuOfServer(temporal.pid) };
    await Promise.all([temporal.stop(), postgres.stop()]);
    sayCpu(spent);
    await rm(directory, { recursive: true, force: true });
  };
  const stop = (): Promise<void> => (stopped ??= end());
  Reflect.set(globalThis, 'stopTestServers', stop);
  // An interrupted jest calls no teardown, and the servers are in process groups of their own.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void stop().finally(() => process.exit(INTERRUPTED)));
  }
}

/** On this machine, or fetched as the engine fetches its own: where nothing is cached, CI has pip for both. */
function find(kind: TemporalKind, cliPath: string | undefined): Promise<string> {
  return findTemporal({
    kind,
    cliPath,
    pathVariable: process.env['PATH'],
    env: process.env,
    cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
    log: (line) => void process.stderr.write(`${line}\n`),
  });
}

/**
 * Makes the bundle that an engine makes at its start; those that tests start as processes find it made. Test files get a
 * copy without the texts of the sources: each engine decodes the source map twice, and sends it to two threads.
 */
async function bundleWorkflows(directory: string): Promise<string> {
  const warn = (fields: object, what: string): void => void process.stderr.write(`${what}: ${inspect(fields)}\n`);
  const made = await bundledWorkflows({ nodeEnv: 'test' }, { warn });
  if (!made) throw new Error('The workflows could not be bundled.');
  const path = join(directory, 'workflow-bundle.js');
  await writeFile(path, withoutSources(await readFile(made.codePath, 'utf8')));
  return path;
}

/** Stacks need the positions of the source map, but not the texts. */
function withoutSources(code: string): string {
  const start = code.indexOf(BASE64, code.lastIndexOf('//# sourceMappingURL=data:')) + BASE64.length;
  const map: unknown = JSON.parse(Buffer.from(code.slice(start), 'base64').toString());
  const short = JSON.stringify(map, (key, value: unknown) => (key === 'sourcesContent' ? undefined : value));
  return code.slice(0, start) + Buffer.from(short).toString('base64');
}

/**
 * Makes the role of the engine, as `npm start` does. A test also clones databases with it, and reorders what the server
 * checks by two settings.
 */
async function makeRole(superuserUrl: string): Promise<string> {
  const url = await useEngineRole(superuserUrl, { role: 'engine', password: 'engine' });
  const superuser = new Client({ connectionString: superuserUrl });
  await superuser.connect();
  await superuser.query('alter role engine createdb');
  await superuser.query('grant set on parameter deadlock_timeout, session_replication_role to engine');
  await superuser.end();
  return url;
}

async function makeTemplate(url: string): Promise<void> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.query('create sequence test_file');
  await admin.query('create sequence test_namespace');
  await admin.end();
  const template = new URL(url);
  template.pathname = `/${TEMPLATE}`;
  await migrate(template.href);
}

async function registerNamespaces(address: string): Promise<void> {
  const connection = await Connection.connect({ address });
  const names = Array.from({ length: NAMESPACES }, (_, index) => namespaceName(index)).slice(1);
  await Promise.all(
    names.map((namespace) =>
      connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
      }),
    ),
  );
  await connection.close();
}

/** The CPU seconds of a server with all its processes. */
function cpuOfServer(pid: number): number | null {
  const own = cpuSeconds(pid);
  if (own === null) return null;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.reduce((sum, child) => sum + (cpuSeconds(child) ?? 0), own);
}

/** The CPU seconds of a process and of its ended children; null where the system does not say. */
function cpuSeconds(pid: number): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  // After the name in brackets: user and system time of the process, then of its children, in hundredths.
  const [, rest = ''] = readFileSync(path, 'utf8').split(') ');
  const ticks = rest.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / 100;
}

/** Says what the run has cost. Seconds on the clock depend on the machine and on what else it does; these hardly do. */
function sayCpu({ PostgreSQL, Temporal }: Record<'PostgreSQL' | 'Temporal', number | null>): void {
  const all = cpuSeconds(process.pid);
  if (all === null || PostgreSQL === null || Temporal === null) return;
  const said = { PostgreSQL, Temporal, 'jest and engines': all - PostgreSQL - Temporal };
  const parts = Object.entries(said).map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`);
  process.stderr.write(`CPU: ${all.toFixed(0)} s (${parts.join(', ')})\n`);
}
