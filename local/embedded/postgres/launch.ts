import { join } from 'node:path';
import { signal, spawnDetached } from '../process/child-process.ts';
import { logPosition, logSince } from '../log-file.ts';
import { underAccount } from './account.ts';
import type { PostgresAccount } from './account.ts';
import { readPostmaster } from './postmaster-file.ts';
import { isAlive } from '../process/process-identity.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';
import { lastLine } from '../process/run-command.ts';
import { StartupError } from '../startup-error.ts';
import { waitUntil } from '../process/wait-until.ts';

/** A busy server takes its time to replay the log after a crash. */
const READY_WITHIN_MS = 180_000;

const DEFAULTS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  // The server gets no socket files: a data directory may be deeper than the 107 characters that a socket's path may have.
  unix_socket_directories: '',
  timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '128MB',
  shared_preload_libraries: 'pg_stat_statements',
};

interface LaunchOptions {
  dataDir: string;
  cluster: string;
  program: string;
  account: PostgresAccount;
  port: number;
  settings: Record<string, string>;
}

/** `locked`: a postmaster.pid is in the way. `in-use`: the last processes of a server are still leaving. */
type Refused = 'locked' | 'in-use' | 'port-taken';
export type Launched = ProcessIdentity | Refused;

/** Starts the server and waits until it takes connections. */
export async function launchPostgres(options: LaunchOptions): Promise<Launched> {
  const { cluster, account, port } = options;
  const settings = Object.entries({ ...DEFAULTS, ...options.settings }).flatMap(([key, value]) => [
    '-c',
    `${key}=${value}`,
  ]);
  const logPath = join(options.dataDir, 'postgres.log');
  const logStart = logPosition(logPath);
  const args = ['-D', cluster, '-p', String(port), ...settings];
  const [command, words] = underAccount(account, options.program, args);
  const identity = await spawnDetached(command, words, { env: account.env, logPath, ...account.owner });
  if (identity !== undefined && (await becomesReady(cluster, identity))) return identity;
  return explain(logSince(logPath, logStart), logPath);
}

async function becomesReady(cluster: string, identity: ProcessIdentity): Promise<boolean> {
  let ready = false;
  const decided = await waitUntil(
    async () => {
      const found = await readPostmaster(cluster);
      ready = found?.ready === true && found.identity?.pid === identity.pid;
      return ready || !isAlive(identity);
    },
    { timeoutMs: READY_WITHIN_MS, everyMs: 5 },
  );
  if (!decided) signal(identity, 'SIGINT');
  return ready;
}

function explain(log: string, logPath: string): Refused {
  if (/could not bind|could not create any TCP/.test(log)) return 'port-taken';
  if (/lock file "postmaster\.pid"/.test(log)) return 'locked';
  if (/pre-existing shared memory block/.test(log)) return 'in-use';
  const reason = /FATAL: .*/.exec(log)?.[0] ?? lastLine(log);
  throw new StartupError(
    `The embedded PostgreSQL did not start (${reason}): see ${logPath}, or set DATABASE_URL to a PostgreSQL server.`,
  );
}
