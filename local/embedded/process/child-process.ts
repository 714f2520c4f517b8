import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { identify, isAlive } from './process-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { openLog } from '../log-file.ts';
import { waitUntil } from './wait-until.ts';

/** Nobody else may read what a server keeps: it has the texts of messages. */
const OWNER_ONLY = 0o077;

interface DetachedOptions {
  env: NodeJS.ProcessEnv;
  logPath: string;
  uid?: number;
  gid?: number;
}

/**
 * Starts a server that Ctrl-C in our terminal does not reach, because the server must outlive the engine's own
 * draining. Returns undefined when the server was gone at once; the log says why.
 */
export async function spawnDetached(
  command: string,
  args: string[],
  { env, logPath, ...owner }: DetachedOptions,
): Promise<ProcessIdentity | undefined> {
  const log = openLog(logPath);
  try {
    // The server runs in '/', because a server that stays behind must not keep the person's directory or mount busy.
    const child = withUmask(OWNER_ONLY, () =>
      spawn(command, args, { env, cwd: '/', detached: true, stdio: ['ignore', log, log], ...owner }),
    );
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    child.unref();
    return child.pid === undefined ? undefined : identify(child.pid);
  } finally {
    closeSync(log);
  }
}

/** A child has the umask that its parent has while it is made. */
function withUmask<T>(mask: number, make: () => T): T {
  const before = process.umask(mask);
  try {
    return make();
  } finally {
    process.umask(before);
  }
}

/** Returns true as soon as the process is gone. This works for processes that are not our children, too. */
function waitForExit(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  return waitUntil(() => !isAlive(identity), { timeoutMs, everyMs: 10 });
}

/** Sends a signal to exactly this process, never to another process that got its pid later. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(identity.pid, name);
  } catch (error) {
    // The process may end between the check and the signal, which is what we want.
    if (isAlive(identity)) throw error;
  }
}

interface Ending {
  name: string;
  /** Each signal is sent when the one before has not ended the process in time. */
  signals: readonly NodeJS.Signals[];
  withinMs: number;
}

export async function endProcess(identity: ProcessIdentity, { name, signals, withinMs }: Ending): Promise<void> {
  for (const each of signals) {
    signal(identity, each);
    if (await waitForExit(identity, withinMs)) return;
  }
  throw new Error(`${name} (process ${identity.pid}) does not stop`);
}
