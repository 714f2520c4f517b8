import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const PERIOD_US = 100_000;
/** This many endless loops on each processor leave a fifth of it to one other process. */
const LOOPS_EACH = 4;
/** It ends with the process that started it, also if that is killed. */
const LOOP = `const parent = process.ppid;
for (let turn = 1; ; turn += 1) if (turn % 1e8 === 0 && process.ppid !== parent) process.exit();`;
const PREFIX = 'engine-squeeze-';
/** A group cannot go while a process is in it, and one that is started meanwhile begins in that of its parent. */
const REMOVALS = 20;
const REMOVAL_PAUSE_MS = 100;

/** The places of a control group for CPU: version 1 has a controller of its own, and version 2 one file. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/cpu',
    own: /^\d+:(?:.*,)?cpu(?:,[^:]*)?:(.*)$/m,
    limit: async (group: string, quotaUs: number | null): Promise<void> => {
      await writeFile(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      await writeFile(join(group, 'cpu.cfs_quota_us'), String(quotaUs ?? -1));
    },
  },
  {
    root: '/sys/fs/cgroup',
    own: /^0::(.*)$/m,
    limit: (group: string, quotaUs: number | null) =>
      writeFile(join(group, 'cpu.max'), `${quotaUs ?? 'max'} ${PERIOD_US}`),
  },
];

export interface Squeezed {
  /** Says how the processes are held back. */
  how: string;
  /** Gives them the whole machine again. It never throws, so that it hides no error of what ran under the squeeze. */
  release(): Promise<void>;
}

/** A control group whose processes, and those that they start, have a share of the machine's CPU. */
export interface Group extends Squeezed {
  /** Gives them the whole machine for a while. */
  lift(): Promise<void>;
  /** Holds back those of the group, and these. */
  hold(pids: readonly number[]): Promise<void>;
  /** Starts something in the group, so that it sees its quota from the beginning. */
  start<T>(starts: () => Promise<T>): Promise<T>;
}

/**
 * Gives the processes, and those that they start, a share of the machine's CPU: by a control group, or by endless loops
 * beside them where this process may make no group.
 */
export async function squeeze(pids: readonly number[], share: number): Promise<Squeezed> {
  const group = await makeGroup(share);
  if (group === null) return besideLoops(LOOPS_EACH);
  await group.hold(pids);
  return group;
}

/** Makes a control group with a share of the machine's CPU; null where this process may make none. */
export async function makeGroup(share: number): Promise<Group | null> {
  const cores = cpus().length * share;
  const quotaUs = Math.round(cores * PERIOD_US);
  const groups = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  for (const { root, own, limit } of VERSIONS) {
    const group = join(root, `${PREFIX}${process.pid}`);
    try {
      await removeFormer(root);
      await mkdir(group);
      await limit(group, quotaUs);
    } catch {
      await remove(group, root);
      continue;
    }
    return {
      how: `a control group of ${cores.toFixed(1)} cores`,
      lift: () => limit(group, null),
      async hold(pids) {
        await limit(group, quotaUs);
        for (const pid of pids) await move(pid, group);
      },
      async start(starts) {
        await move(process.pid, group);
        try {
          return await starts();
        } finally {
          await move(process.pid, join(root, own.exec(groups)?.[1] ?? '/'));
        }
      },
      release: () => remove(group, root),
    };
  }
  return null;
}

/** Lets this many endless loops for each processor run beside everything else. */
export function besideLoops(each: number): Squeezed {
  const count = cpus().length * each;
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' }));
  return {
    how: `${count} endless loops beside it`,
    async release() {
      for (const loop of loops) loop.kill('SIGKILL');
    },
  };
}

/** Removes the groups of runners that were killed, which would hold back whatever they still have. */
async function removeFormer(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    if (Number.isInteger(pid) && pid > 0 && !isRunning(pid)) await remove(join(root, name), root);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === 'EPERM';
  }
}

async function remove(group: string, root: string): Promise<void> {
  for (let tries = 1; tries <= REMOVALS; tries += 1) {
    try {
      for (const pid of await members(group)) await move(pid, root);
      await rmdir(group);
      return;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      await pause(REMOVAL_PAUSE_MS);
    }
  }
  process.stderr.write(`The control group ${group} could not be removed.\n`);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

async function members(group: string): Promise<string[]> {
  const listed = await readFile(join(group, 'cgroup.procs'), 'utf8');
  return listed.split('\n').filter((pid) => pid !== '');
}

/** A process that has ended meanwhile needs no place. */
async function move(pid: number | string, group: string): Promise<void> {
  try {
    await writeFile(join(group, 'cgroup.procs'), String(pid));
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
