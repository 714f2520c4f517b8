import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SEARCH_ATTRIBUTES } from '../../domain/workflows.ts';
import { migrate } from '../../db/migrate.ts';
import { freePort } from '../../local/embedded/port.ts';
import { startPostgres } from '../../local/embedded/postgres/postgres.ts';
import { findTemporal } from '../../local/embedded/temporal/binary.ts';
import { startTemporal } from '../../local/embedded/temporal/temporal.ts';
import type { EmbeddedTemporal } from '../../local/embedded/temporal/temporal.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';
import type { Kind } from './kinds.ts';
import { Processes } from './processes.ts';
import { untilQuiet } from './quiet.ts';
import { makeRoles, statementsOfEngines, urlAs } from './roles.ts';
import type { Half } from './roles.ts';

const SECRET = 'bench-secret-0123456789-0123456789-0123456789';
export const MASTER_KEY = `${SECRET}-master`;
export const PSK = `${SECRET}-psk`;
export const ENCRYPTION_KEY = `${SECRET}-encryption`;
export const BACKEND_SECRET = `${SECRET}-backend`;
const SANDBOX_KEY = 'bench-sandbox-key';
export const NAMESPACE = 'default';
/** Enough for sixteen processes with all their connections in use. */
const MAX_CONNECTIONS = '400';

/**
 * The servers of one bench run: durable PostgreSQL, Temporal on a file, and the sandbox. Each path starts and stops its
 * own engines.
 */
export interface Machine {
  databaseUrl: string;
  temporalAddress: string;
  /** The processes of a kind; servers have one, whose children do the work. */
  pids(kind: Kind): number[];
  /** The CPU time of all processes since the start, those too that have ended; only differences mean something. */
  cpuMs(): Record<Kind, number>;
  /** The statements of all engines since the start. */
  statements(): Promise<number>;
  /** Waits for a quiet machine and returns its load; a row calls it before its own loops start. */
  quiet(): Promise<number>;
  sandboxUrl: string;
  /** Starts the whole engine in one process, or only its API or its worker; `more` are further settings of it. */
  startEngine(half: 'all' | 'api' | 'worker', more?: Record<string, string>): Promise<Child & { url: string }>;
  /**
   * Begins a series: a new database, a new store of Temporal and a new sandbox. Executions of earlier series would use
   * Temporal's CPU unseen, and the sandbox's record would count their sends.
   */
  newSeries(): Promise<void>;
  sandbox(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The headers of the sandbox's own API. */
  sandboxHeaders: Record<string, string>;
  env(): Record<string, string>;
  stop(): Promise<void>;
}

export async function startMachine(environment: NodeJS.ProcessEnv, { anyway }: { anyway: boolean }): Promise<Machine> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-bench-'));
  const log = (): void => undefined;
  const binary = await findTemporal({
    kind: 'cli',
    cliPath: undefined,
    pathVariable: environment['PATH'],
    env: environment,
    cacheDir: join(homedir(), '.cache', 'messaging-automation-engine'),
    log: (line) => console.log(line),
  });
  const postgres = await startPostgres({ dataDir: directory, settings: { max_connections: MAX_CONNECTIONS }, log });
  await makeRoles(postgres.url);
  const processes = new Processes();
  processes.add('postgres', postgres.pid);
  let stores = 0;
  const newTemporal = async (): Promise<EmbeddedTemporal> => {
    stores += 1;
    const dataDir = join(directory, `temporal-${stores}`);
    await mkdir(dataDir);
    const started = await startTemporal({
      binary,
      dataDir,
      namespace: NAMESPACE,
      headless: true,
      searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 'Keyword' as const])),
      log,
    });
    processes.add('temporal', started.pid);
    return started;
  };
  let temporal = await newTemporal();
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const newSandbox = async (): Promise<Child> => {
    const started = await startChild('./sandbox.ts', [SANDBOX_KEY, String(sandboxPort)], {
      env: { PATH: environment['PATH'] ?? '' },
      ready: /^http/,
    });
    processes.add('sandbox', started.pid);
    return started;
  };
  let sandbox = await newSandbox();
  let databaseUrl = postgres.url;
  let databases = 0;
  const apiPort = await freePort();
  const url = `http://127.0.0.1:${apiPort}`;
  const env = (): Record<string, string> => ({
    PATH: environment['PATH'] ?? '',
    HOME: environment['HOME'] ?? '',
    DATA_DIR: join(directory, 'engine'),
    PORT: String(apiPort),
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    BACKEND_URL: sandboxUrl,
    BACKEND_API_KEY: SANDBOX_KEY,
    BACKEND_WEBHOOK_SECRET: BACKEND_SECRET,
    ENGINE_API_KEY: MASTER_KEY,
    WORKFLOW_ENGINE_INTERNAL_PSK: PSK,
    ENGINE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    LLM_BASE_URL: `${sandboxUrl}/llm/v1`,
    LLM_API_KEY: SANDBOX_KEY,
    LLM_MODELS: JSON.stringify([{ id: 'sandbox-model', provider: 'openai-compatible' }]),
    EGRESS_ALLOW: '127.0.0.0/8',
    PACE_PER_MINUTE: '0',
    API_RATE_PER_MINUTE: '0',
    API_RATE_PER_MINUTE_OF_AGENCY: '0',
  });
  const sandboxHeaders = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };
  return {
    get databaseUrl() {
      return databaseUrl;
    },
    get temporalAddress() {
      return temporal.address;
    },
    pids: (kind) => processes.of(kind),
    cpuMs: () => processes.cpuMs(),
    statements: () => statementsOfEngines(postgres.url),
    quiet: () => untilQuiet({ anyway }),
    sandboxUrl,
    sandboxHeaders,
    env,
    async startEngine(half, more = {}) {
      const ready = half === 'all' ? /Stop with Ctrl-C/ : half === 'api' ? /the API listens/ : /the worker runs/;
      const kind: Half = half === 'all' ? 'engine' : half;
      const DATABASE_URL = urlAs(kind, databaseUrl);
      const child = await startChild('../../bin/start.mjs', half === 'all' ? [] : [half], {
        env: { ...env(), DATABASE_URL, LOG_LEVEL: half === 'all' ? 'warn' : 'info', ...more },
        ready,
      });
      processes.add(kind, child.pid);
      const counted = (end: () => Promise<void>) => async (): Promise<void> => {
        processes.remove(child.pid);
        await end();
      };
      const address = more['PORT'] === undefined ? url : `http://127.0.0.1:${more['PORT']}`;
      return { ...child, stop: counted(child.stop), kill: counted(child.kill), url: address };
    },
    async newSeries() {
      processes.remove(temporal.pid);
      await temporal.stop();
      temporal = await newTemporal();
      processes.remove(sandbox.pid);
      await sandbox.stop();
      sandbox = await newSandbox();
      const admin = new Client({ connectionString: postgres.url });
      await admin.connect();
      databases += 1;
      await admin.query(`create database bench_${databases}`);
      await admin.end();
      const next = new URL(postgres.url);
      next.pathname = `/bench_${databases}`;
      databaseUrl = next.href;
      await migrate(databaseUrl);
    },
    async sandbox(method, path, body) {
      const answer = await fetch(`${sandboxUrl}/sandbox${path}`, {
        method,
        headers: sandboxHeaders,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${method} ${path}.`);
      return answer.status === 204 ? undefined : answer.json();
    },
    async stop() {
      await sandbox.stop();
      await temporal.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
