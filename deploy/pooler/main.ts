import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { loadConfig } from '../../config/config.ts';
import { freePort } from '../../local/embedded/port.ts';
import { waitUntil } from '../../local/embedded/process/wait-until.ts';
import { Container } from '../image/container.ts';
import { sendToRead } from '../image/message.ts';
import { nobody } from '../image/nobody.ts';
import { startSurroundings } from '../image/surroundings.ts';
import { findPgBouncer, writeSettings } from './pgbouncer.ts';

/**
 * Proves that API and worker work behind a transaction pooler: a real PgBouncer gives each transaction another
 * connection, and messages become `read`.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CONNECTIONS = 5;
/** One for each process. */
const OWN = 2;
const API_CHECK =
  'fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))';
/** A statement that is used this often would have a name. */
const MESSAGES = 30;
const LEFT_WITHIN_MS = 30_000;

const { environment } = loadConfig();
const startedAt = performance.now();
const stops = new AsyncDisposableStack();
try {
  await prove();
  await stops.disposeAsync();
  say('The engine works behind the pooler.');
} catch (error) {
  say(`The engine does not work behind the pooler: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  await stops.disposeAsync();
}

async function prove(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'engine-pooler-'));
  stops.defer(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o711);
  const program = await findPgBouncer(directory, environment['PATH'] ?? '');
  const settings = await startSurroundings({ directory: join(directory, 'surroundings'), environment, stops, say });
  const directUrl = settings['DATABASE_URL'] ?? '';
  const poolerPort = await freePort();
  const file = await writeSettings(directory, { databaseUrl: directUrl, port: poolerPort, connections: CONNECTIONS });
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? await nobody() : {};
  const pooler = new Container('pooler', [program.path, file], { cwd: directory, env: program.env, ...account });
  // At SIGTERM it cuts all off and leaves with an error.
  stops.defer(() => pooler.stop('SIGINT'));
  const pooledUrl = new URL(directUrl);
  pooledUrl.port = String(poolerPort);

  const port = String(await freePort());
  const data = join(directory, 'data');
  await mkdir(data);
  const env = {
    PATH: environment['PATH'] ?? '',
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: data,
    PACE_PER_MINUTE: '0',
    ...settings,
    DATABASE_URL: pooledUrl.href,
    DATABASE_DIRECT_URL: directUrl,
  };
  const place = { cwd: ROOT, env };
  const worker = new Container('worker', [process.execPath, 'bin/start.mjs', 'worker'], place);
  stops.defer(() => worker.stop());
  const api = new Container('API', [process.execPath, 'bin/start.mjs', 'api'], place);
  stops.defer(() => api.stop());
  await api.becomesHealthy([process.execPath, '-e', API_CHECK]);
  say('The API is healthy.');
  await worker.becomesHealthy([process.execPath, 'deploy/worker-health.ts']);
  say('The worker is healthy.');
  const psk = settings['WORKFLOW_ENGINE_INTERNAL_PSK'] ?? '';
  await sendToRead(`http://127.0.0.1:${port}`, psk, { messages: MESSAGES });
  say(`${MESSAGES} messages are read.`);
  await onlyPooled(directUrl);
}

/** Checks that the processes reach the server by the pooler's connections, and by one of their own for LISTEN. */
async function onlyPooled(directUrl: string): Promise<void> {
  const client = new Client({ connectionString: directUrl });
  await client.connect();
  let rows: { name: string }[] = [];
  let shared = 0;
  const look = async (): Promise<boolean> => {
    ({ rows } = await client.query<{ name: string }>(
      `select application_name as name from pg_stat_activity
       where datname = current_database() and application_name like 'engine-%'`,
    ));
    shared = rows.filter(({ name }) => name === 'engine-api' || name === 'engine-worker').length;
    return shared > 0 && shared <= CONNECTIONS && rows.length <= shared + OWN;
  };
  // One that a process has just left is listed until the server has noticed.
  await waitUntil(look, { timeoutMs: LEFT_WITHIN_MS, everyMs: 200 });
  await client.end();
  say(`${rows.length} connections to the server, ${shared} of them by the pooler.`);
  if (shared === 0 || shared > CONNECTIONS)
    throw new Error(`The pooler has ${CONNECTIONS} connections, not ${shared}.`);
  if (rows.length > shared + OWN) throw new Error(`Both processes have ${OWN} connections of their own at most.`);
}

function say(line: string): void {
  process.stdout.write(`${((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`);
}
