import { spawn } from 'node:child_process';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

const PERIOD_US = 100_000;
/** This many endless loops on each processor leave a fifth of it to one other process. */
const LOOPS_EACH = 4;
const LOOP = 'for (;;);';

/** The places of a control group for CPU: version 1 has a controller of its own, and version 2 one file. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/cpu',
    limit: async (group: string, quotaUs: number): Promise<void> => {
      await writeFile(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      await writeFile(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
    },
  },
  {
    root: '/sys/fs/cgroup',
    limit: (group: string, quotaUs: number) => writeFile(join(group, 'cpu.max'), `${quotaUs} ${PERIOD_US}`),
  },
];

export interface Squeezed {
  /** Says how the processes are held back. */
  how: string;
  /** Gives them the whole machine again. */
  release(): Promise<void>;
}

/**
 * Gives the processes, and those that they start, a share of the machine's CPU: by a control group, or by endless loops
 * beside them where this process may make no group.
 */
export async function squeeze(pids: readonly number[], share: number): Promise<Squeezed> {
  const cores = cpus().length * share;
  for (const { root, limit } of VERSIONS) {
    const group = join(root, `engine-squeeze-${process.pid}`);
    try {
      await mkdir(group);
    } catch {
      continue;
    }
    const release = async (): Promise<void> => {
      for (const pid of await members(group)) await move(pid, root);
      await rmdir(group);
    };
    try {
      await limit(group, Math.round(cores * PERIOD_US));
      for (const pid of pids) await move(pid, group);
      return { how: `a control group of ${cores.toFixed(1)} cores`, release };
    } catch {
      await release();
    }
  }
  return besideLoops(LOOPS_EACH);
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

async function members(group: string): Promise<string[]> {
  const listed = await readFile(join(group, 'cgroup.procs'), 'utf8');
  return listed.split('\n').filter((pid) => pid !== '');
}

/** A process that has ended meanwhile needs no place. */
async function move(pid: number | string, group: string): Promise<void> {
  try {
    await writeFile(join(group, 'cgroup.procs'), String(pid));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
