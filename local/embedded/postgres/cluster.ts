import { chown, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../error-reason.ts';
import { underAccount } from './account.ts';
import type { PostgresAccount } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';
import { lastLine, runCommand } from '../process/run-command.ts';
import { readOrCreateSecret } from '../secret.ts';
import { StartupError } from '../startup-error.ts';

export const DATABASE = 'engine';
export const USER = 'postgres';
const PASSWORD_FILE = 'postgres-password';
const ABANDONED_AFTER_MS = 10 * 60_000;

/** The name carries the major version, because no other version opens the files. */
export function clusterPath(dataDir: string): string {
  return join(dataDir, 'pg18');
}

interface ClusterOptions {
  dataDir: string;
  binaries: PostgresBinaries;
  account: PostgresAccount;
  /** False gives up crash safety for speed, for throw-away clusters of tests. */
  durable: boolean;
  log: (line: string) => void;
}

export interface Cluster {
  path: string;
  password: string;
}

/** Opens the cluster of the data directory, and creates it if it is not there. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const path = clusterPath(options.dataDir);
  if (await exists(path)) {
    if (await exists(join(options.dataDir, PASSWORD_FILE))) return { path, password: await password(options) };
    throw new StartupError(
      `The database in ${path} lacks its password file ${PASSWORD_FILE}. Restore the file, or set DATA_DIR ` +
        'to an empty directory.',
    );
  }
  options.log('Creating the embedded PostgreSQL database');
  await removeAbandoned(options.dataDir);
  const draft = await mkdtemp(join(options.dataDir, 'init-'));
  try {
    await createIn(draft, options);
    // Only a complete cluster ever gets the name, even if the process is killed meanwhile.
    await rename(join(draft, 'd'), path);
  } catch (error) {
    // Another start of the same fresh directory was faster: its cluster is as good as ours.
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { path, password: await password(options) };
}

function password({ dataDir }: ClusterOptions): Promise<string> {
  return readOrCreateSecret(dataDir, PASSWORD_FILE, 24);
}

async function createIn(draft: string, options: ClusterOptions): Promise<void> {
  const { binaries, account, durable } = options;
  const cluster = join(draft, 'd');
  const passwordFile = join(draft, 'password');
  await writeFile(passwordFile, await password(options), { flag: 'wx', mode: 0o600 });
  if (account.owner) {
    for (const path of [passwordFile, draft]) await chown(path, account.owner.uid, account.owner.gid);
  }
  // Texts sort by bytes and a built-in locale. It is the same on every machine, and no update of a system library
  // corrupts it.
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const security = ['-A', 'scram-sha-256', '-U', USER, `--pwfile=${passwordFile}`];
  await run(options, binaries.initdb, ['-D', cluster, ...locale, ...security, ...(durable ? [] : ['--no-sync'])]);
  await run(options, binaries.postgres, ['--single', '-D', cluster, 'postgres'], `create database ${DATABASE};\n`);
}

async function run({ account }: ClusterOptions, program: string, args: string[], input?: string): Promise<void> {
  const [command, words] = underAccount(account, program, args);
  const { ok, output } = await runCommand(command, words, {
    env: account.env,
    cwd: '/',
    timeoutMs: 120_000,
    ...account.owner,
    ...(input !== undefined && { input }),
  });
  if (ok && !output.includes('ERROR:')) return;
  throw new StartupError(
    `The embedded PostgreSQL database could not be created (${reasonIn(output)}): ` +
      'check the space and rights of DATA_DIR, or set DATABASE_URL to a PostgreSQL server.',
  );
}

/** The last line of initdb says only that it cleans up. */
function reasonIn(output: string): string {
  return /^.*\b(?:error|ERROR|FATAL|PANIC): .*/m.exec(output)?.[0].trim() ?? lastLine(output);
}

/**
 * Removes the drafts of starts that were killed half-way. Young drafts stay, because another start may be at work on
 * them.
 */
async function removeAbandoned(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    if (!name.startsWith('init-') || Date.now() - (await stat(path)).mtimeMs < ABANDONED_AFTER_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
