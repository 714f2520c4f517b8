import { randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasCode } from './error-reason.ts';
import { identify, isAlive } from './process/process-identity.ts';
import type { ProcessIdentity } from './process/process-identity.ts';
import { StartupError } from './startup-error.ts';

const ATTEMPTS = 5;

/**
 * Makes this process the directory's one owner. Every contender first writes its own claim and then looks at the claims
 * of the others. At least one of two contenders sees the other, so there are never two owners. The claim of a dead
 * process (kill -9) counts for nothing. A single lock file would not do, because it could not be taken over from a dead
 * owner without a race.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const claims = join(directory, 'owner');
  await mkdir(claims, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt++) {
    const claim = await writeClaim(claims);
    const unlock = () => rm(claim, { force: true });
    const owner = await otherOwner(claims, claim);
    if (owner === undefined) return unlock;
    await unlock();
    if (attempt === ATTEMPTS) throw alreadyOwned(directory, owner);
    // Two engines that start together may both step back, so different pauses let one of them through.
    await sleep(Math.random() * 30 * attempt);
  }
}

/** Returns the process that has the directory; undefined if none has it. It changes nothing there. */
export async function ownerOf(directory: string): Promise<number | undefined> {
  const claims = join(directory, 'owner');
  for (const name of await namesIn(claims)) {
    const claim = name.endsWith('.claim') ? parseClaim(await readClaim(join(claims, name))) : undefined;
    if (claim !== undefined && isAlive(claim)) return claim.pid;
  }
  return undefined;
}

/** Whoever may not look into the directory learns of no owner. */
async function namesIn(claims: string): Promise<string[]> {
  try {
    return await readdir(claims);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}

async function writeClaim(claims: string): Promise<string> {
  const path = join(claims, `${randomUUID()}.claim`);
  const draft = `${path}.draft`;
  await writeFile(draft, `${process.pid}\n${identify(process.pid)?.startedAt ?? ''}`, { flag: 'wx', mode: 0o600 });
  await rename(draft, path);
  return path;
}

async function otherOwner(claims: string, own: string): Promise<number | undefined> {
  for (const name of await readdir(claims)) {
    const path = join(claims, name);
    if (path === own || !name.endsWith('.claim')) continue;
    const claim = parseClaim(await readClaim(path));
    if (claim !== undefined && isAlive(claim)) return claim.pid;
    await rm(path, { force: true });
  }
  return undefined;
}

async function readClaim(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function parseClaim(text: string): ProcessIdentity | undefined {
  const [pid, startedAt] = text.split('\n');
  return pid && startedAt ? { pid: Number(pid), startedAt } : undefined;
}

function alreadyOwned(directory: string, pid: number): StartupError {
  return new StartupError(
    `The data directory ${directory} is in use by another engine (process ${pid}): ` +
      'stop that one, or set DATA_DIR to another directory.',
  );
}
