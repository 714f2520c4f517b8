import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../error-reason.ts';
import { commandLine, identify } from '../process/process-identity.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

/** The facts that PostgreSQL writes about itself into its data directory. */
export interface Postmaster {
  /** Undefined when the pid's process is gone, a zombie, or not a PostgreSQL of this cluster. */
  identity: ProcessIdentity | undefined;
  port: number;
  ready: boolean;
}

export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const lines = (await readLines(cluster)) ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const ours = commandLine(pid).includes(`-D ${cluster} `);
  return { identity: ours ? identify(pid) : undefined, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Removes the file of a server that is gone. PostgreSQL does so itself, but not while the pid belongs to a zombie (in a
 * container whose first process reaps nothing) or to another program. PostgreSQL's shared memory check still refuses a
 * cluster that is in use.
 */
export async function removeIfLeftBehind(cluster: string): Promise<void> {
  const postmaster = await readPostmaster(cluster);
  if (postmaster === undefined || postmaster.identity !== undefined) return;
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function readLines(cluster: string): Promise<string[] | undefined> {
  try {
    return (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
