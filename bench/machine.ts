import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../domain/workflows.ts';
import { migrate } from '../db/migrate.ts';
import { freePort } from '../embedded/port.ts';
import { startPostgres } from '../embedded/postgres/postgres.ts';
import { findTemporal } from '../embedded/temporal/binary.ts';
import { startTemporal } from '../embedded/temporal/temporal.ts';
import { startSandbox } from '../sandbox/main.ts';
import { startChild } from './child.ts';
import type { Child } from './child.ts';

const SECRET = 'bench-secret-0123456789-0123456789-0123456789';
export const MASTER_KEY = `${SECRET}-master`;
export const PSK = `${SECRET}-psk`;
export const ENCRYPTION_KEY = `${SECRET}-encryption`;
export const BACKEND_SECRET = `${SECRET}-backend`;
const SANDBOX_KEY = 'bench-sandbox-key';
export const NAMESPACE = 'default';
/** Enough for sixteen processes with all their connections in use. */
const MAX_CONNECTIONS = '400';
/** Longer than any run: ten thousand sessions whose past appears would be measured with the engine. */
const NO_HISTORY_MS = 24 * 60 * 60_000;

/**
 * The servers of one bench run: durable PostgreSQL, Temporal on a file, and the sandbox. Each path starts and stops its
 * own engines.
 */
export interface Machine {
  databaseUrl: string;
  temporalAddress: string;
  /** The servers' main processes. */
  pids: { postgres: number; temporal: number };
  sandboxUrl: string;
  /** Starts the whole engine in one process, or only its API or its worker; `more` are further settings of it. */
  startEngine(half: 'all' | 'api' | 'worker', more?: Record<string, string>): Promise<Child & { url: string }>;
  /** Makes a new, empty database for the next path, and takes the former one's accounts off the sandbox. */
  newDatabase(): Promise<void>;
  sandbox(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The headers of the sandbox's own API. */
  sandboxHeaders: Record<string, string>;
  env(): Record<string, string>;
  stop(): Promise<void>;
}

export async function startMachine(environment: NodeJS.ProcessEnv): Promise<Machine> {
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
  const temporal = await startTemporal({
    binary,
    dataDir: directory,
    namespace: NAMESPACE,
    headless: true,
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 'Keyword' as const])),
    log,
  });
  const sandbox = await startSandbox({
    port: 0,
    apiKey: SANDBOX_KEY,
    autoScanAfterMs: 50,
    ackDelayMs: 50,
    historyDelayMs: NO_HISTORY_MS,
  });
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
    BACKEND_URL: sandbox.url,
    BACKEND_API_KEY: SANDBOX_KEY,
    BACKEND_WEBHOOK_SECRET: BACKEND_SECRET,
    ENGINE_API_KEY: MASTER_KEY,
    WORKFLOW_ENGINE_INTERNAL_PSK: PSK,
    ENGINE_ENCRYPTION_KEY: ENCRYPTION_KEY,
    LLM_BASE_URL: `${sandbox.url}/llm/v1`,
    LLM_API_KEY: SANDBOX_KEY,
    LLM_MODELS: JSON.stringify([{ id: 'sandbox-model', provider: 'openai-compatible' }]),
    EGRESS_ALLOW: '127.0.0.0/8',
    PACE_PER_MINUTE: '0',
    API_RATE_PER_MINUTE: '0',
    API_RATE_PER_MINUTE_OF_AGENCY: '0',
  });
  const sandboxHeaders = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };
  /** An account that stays is another database's, so the engine would answer that its name is taken. */
  const deleteAccounts = async (): Promise<void> => {
    const list = await fetch(`${sandbox.url}/api/sessions?all=true`, { headers: sandboxHeaders });
    for (const { name } of z.array(z.object({ name: z.string() })).parse(await list.json())) {
      const answer = await fetch(`${sandbox.url}/api/sessions/${name}`, { method: 'DELETE', headers: sandboxHeaders });
      if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} when its account was deleted.`);
    }
  };
  return {
    get databaseUrl() {
      return databaseUrl;
    },
    temporalAddress: temporal.address,
    pids: { postgres: postgres.pid, temporal: temporal.pid },
    sandboxUrl: sandbox.url,
    sandboxHeaders,
    env,
    async startEngine(half, more = {}) {
      const ready = half === 'all' ? /Stop with Ctrl-C/ : half === 'api' ? /the API listens/ : /the worker runs/;
      const child = await startChild('../bin/start.mjs', half === 'all' ? [] : [half], {
        env: { ...env(), LOG_LEVEL: half === 'all' ? 'warn' : 'info', ...more },
        ready,
      });
      return { ...child, url: more['PORT'] === undefined ? url : `http://127.0.0.1:${more['PORT']}` };
    },
    async newDatabase() {
      const admin = new Client({ connectionString: postgres.url });
      await admin.connect();
      databases += 1;
      await admin.query(`create database bench_${databases}`);
      await admin.end();
      const next = new URL(postgres.url);
      next.pathname = `/bench_${databases}`;
      databaseUrl = next.href;
      await migrate(databaseUrl);
      await deleteAccounts();
    },
    async sandbox(method, path, body) {
      const answer = await fetch(`${sandbox.url}/sandbox${path}`, {
        method,
        headers: sandboxHeaders,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${method} ${path}.`);
      return answer.status === 204 ? undefined : answer.json();
    },
    async stop() {
      await sandbox.close();
      await temporal.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
