import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:net';
import { endProcess } from '../process/child-process.ts';
import { watchExit } from '../process/exit-watch.ts';
import { freePort, requirePort } from '../port.ts';
import { postgresAccount } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { clusterPath, DATABASE, openCluster, USER } from './cluster.ts';
import { launchPostgres } from './launch.ts';
import { readPostmaster, removeIfLeftBehind } from './postmaster-file.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';
import { StartupError } from '../startup-error.ts';

export interface PostgresOptions {
  /** The engine's data directory; it must be locked by this process (`openDataDirectory`). */
  dataDir: string;
  /** A free port is chosen when left out. */
  port?: number | undefined;
  /** Server settings on top of ours; `fsync: 'off'` also makes the creation faster. */
  settings?: Record<string, string> | undefined;
  log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** The database `engine` as its superuser, with the password. The engine works as a role of its own. */
  url: string;
  port: number;
  pid: number;
  /** True when a server that an engine left behind (kill -9) was taken over. */
  attached: boolean;
  /** Called once when the server ends by itself; not after `stop`. */
  onExit: (callback: () => void) => void;
  /** Stops the server, even one that was taken over: the owner of the data directory owns its server. */
  stop: () => Promise<void>;
}

/** PostgreSQL's question "do you speak TLS?", which any server answers with one letter before asking who we are. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const ANSWER_WITHIN_MS = 2_000;

/** A start waits this long for a server that starts, recovers or stops. */
const TURN_WITHIN_MS = 180_000;

interface Running {
  identity: ProcessIdentity;
  port: number;
  attached: boolean;
}

export async function startPostgres({ dataDir, port, settings = {}, log }: PostgresOptions): Promise<EmbeddedPostgres> {
  const binaries = await postgresBinaries();
  const directory = await realpath(dataDir);
  const account = await postgresAccount(directory, clusterPath(directory));
  const durable = settings['fsync'] !== 'off';
  const { path, password } = await openCluster({ dataDir: directory, binaries, account, durable, log });
  const launch = (onPort: number) =>
    launchPostgres({ dataDir: directory, cluster: path, program: binaries.postgres, account, port: onPort, settings });

  const running = await attachOrLaunch(path, port, launch);
  log(`PostgreSQL ${running.attached ? 'taken over' : 'started'} on port ${running.port}`);
  const watch = watchExit(running.identity);
  return {
    url: `postgres://${USER}:${password}@127.0.0.1:${running.port}/${DATABASE}`,
    port: running.port,
    pid: running.identity.pid,
    attached: running.attached,
    onExit: (callback) => watch.onExit(callback),
    async stop() {
      watch.cancel();
      await stopPostgres(running.identity);
    },
  };
}

async function attachOrLaunch(
  cluster: string,
  fixedPort: number | undefined,
  launch: (port: number) => ReturnType<typeof launchPostgres>,
): Promise<Running> {
  const deadline = Date.now() + TURN_WITHIN_MS;
  while (Date.now() < deadline) {
    const found = await findRunning(cluster);
    if (found === 'busy') {
      await sleep(50);
    } else if (found === undefined) {
      if (fixedPort !== undefined) await requirePort(fixedPort, 'POSTGRES_PORT', 'PostgreSQL');
      const port = fixedPort ?? (await freePort());
      const launched = await launch(port);
      if (typeof launched === 'object') return { identity: launched, port, attached: false };
      if (launched === 'locked') await removeIfLeftBehind(cluster);
      await sleep(50);
    } else if (fixedPort === undefined || fixedPort === found.port) {
      return found;
    } else {
      // POSTGRES_PORT changed since the server was left behind.
      await stopPostgres(found.identity);
    }
  }
  throw new StartupError(
    `The embedded PostgreSQL in ${cluster} neither answers nor goes away: see postgres.log beside it, end its ` +
      'process, and start again.',
  );
}

/** Looks for a running server. `busy` means that it is starting, recovering or stopping. */
async function findRunning(cluster: string): Promise<Running | 'busy' | undefined> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === undefined) return undefined;
  const { identity, port, ready } = postmaster;
  // The server of this file is gone. PostgreSQL replaces the file itself.
  if (identity === undefined) return undefined;
  return ready && (await answersAsPostgres(port)) ? { identity, port, attached: true } : 'busy';
}

/**
 * Tells whether a PostgreSQL server answers. An open port proves nothing, because it still accepts for a moment after
 * kill -9.
 */
function answersAsPostgres(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port }, () => socket.write(SSL_REQUEST));
    const answer = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => answer(false));
    socket.once('data', (letter) => answer(letter.length === 1 && 'SN'.includes(letter.toString())));
    socket.once('error', () => answer(false));
    socket.once('end', () => answer(false));
  });
}

/**
 * Stops the server. At the first signal it disconnects its clients and writes everything to disk. At the second it
 * leaves the log for the next start to replay.
 */
export function stopPostgres(identity: ProcessIdentity): Promise<void> {
  return endProcess(identity, { name: 'PostgreSQL', signals: ['SIGINT', 'SIGQUIT'], withinMs: 15_000 });
}
