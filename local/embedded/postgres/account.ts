import { existsSync } from 'node:fs';
import { chmod, readFile, stat } from 'node:fs/promises';
import { runCommand } from '../process/run-command.ts';
import { StartupError } from '../startup-error.ts';

const ENV = { LC_ALL: 'C', PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };

/** The account under which PostgreSQL's programs run, because they refuse to run as root. */
export interface PostgresAccount {
  env: NodeJS.ProcessEnv;
  /** The words of the command line before the program. */
  prefix: string[];
  owner: { uid: number; gid: number } | undefined;
}

/** Chooses the account for a cluster, which need not be there yet. */
export async function postgresAccount(dataDir: string, cluster: string): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { env: ENV, prefix: [], owner: undefined };
  const { uid, gid } = await stat(existsSync(cluster) ? cluster : dataDir);
  // The directory belongs to another user (a start with sudo, or the accounts below). Files of root in that user's
  // cluster would lock the user out.
  if (uid !== 0) return { env: ENV, prefix: [], owner: { uid, gid } };
  // In a user namespace of its own the program sees itself as nobody while its files stay root's.
  const probe = await runCommand('unshare', ['-U', 'true'], { env: ENV, timeoutMs: 5_000 });
  if (probe.ok) return { env: ENV, prefix: ['unshare', '-U'], owner: undefined };
  const owner = await unprivilegedOwner();
  // The other account has to pass through the data directory to reach its cluster.
  await chmod(dataDir, 0o711);
  return { env: ENV, prefix: [], owner };
}

async function unprivilegedOwner(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const account = ['postgres', 'nobody'].map((name) => accounts.find(([found]) => found === name)).find(Boolean);
  if (account === undefined) {
    throw new StartupError(
      'PostgreSQL does not run as root, and this machine has no user namespaces and no account postgres or ' +
        'nobody. Start the engine as another user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

/** Makes the command line of one of PostgreSQL's programs under this account. */
export function underAccount(account: PostgresAccount, program: string, args: string[]): [string, string[]] {
  const [first, ...rest] = [...account.prefix, program, ...args];
  return [first ?? program, rest];
}
