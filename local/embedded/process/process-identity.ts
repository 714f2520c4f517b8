import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Names one process for good. Its pid may be given to another process later, but never with the same start time. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

/** Returns the process that runs under this pid now, or undefined when none does. A zombie no longer runs. */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Returns the words with which the process was started; empty when it is gone. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=') ?? '';
  return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '';
}

function startFromProc(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  const ticksSinceBoot = fields[19];
  if (state === 'Z' || state === 'X' || ticksSinceBoot === undefined) return undefined;
  // Ticks count from boot: without the boot's id a process of an earlier boot could look like this one.
  return `${bootId()}/${ticksSinceBoot}`;
}

function bootId(): string {
  return readProc('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  const state = ps(pid, 'state=');
  return state === undefined || state.startsWith('Z') ? undefined : ps(pid, 'lstart=');
}

function ps(pid: number, column: string): string | undefined {
  try {
    const out = execFileSync('ps', ['-o', column, '-p', String(pid)], { env: { PATH: '/bin:/usr/bin' } });
    return out.toString().trim() || undefined;
  } catch {
    return undefined;
  }
}
