import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { dirname, join } from 'node:path';

export interface Cores {
  /** The processors that this process may use; a container's limit may be a part of one. */
  count: number;
  /** Whether Temporal's SDK measures the use of this limit: it reads only the root of control groups of version 2. */
  isMeasured: boolean;
}

interface Version {
  /** Returns the path of the process's group from a line of /proc/self/cgroup; undefined for another version. */
  groupOf: (line: string) => string | undefined;
  mount: string;
  /** Returns the cores that a group may use; undefined without a limit. */
  limitOf: (group: string) => number | undefined;
  isRootMeasured: boolean;
}

const VERSIONS: readonly Version[] = [
  {
    groupOf: (line) => /^0::(.*)$/.exec(line)?.[1],
    mount: 'sys/fs/cgroup',
    limitOf: (group) => {
      const [quotaUs, periodUs] = (read(join(group, 'cpu.max')) ?? '').split(' ');
      return quotient(quotaUs, periodUs);
    },
    isRootMeasured: true,
  },
  {
    groupOf: (line) => /^\d+:(?:.*,)?cpu(?:,[^:]*)?:(.*)$/.exec(line)?.[1],
    mount: 'sys/fs/cgroup/cpu',
    limitOf: (group) => quotient(read(join(group, 'cpu.cfs_quota_us')), read(join(group, 'cpu.cfs_period_us'))),
    isRootMeasured: false,
  },
];

/** The processors of the machine, and those that Node counts, which the affinity and whole parts of a limit lower. */
interface Machine {
  all: number;
  allowed: number;
}

/** Returns the processors that this process may use: those of the machine, or what its control groups leave of them. */
export function readCores(
  root = '/',
  { all, allowed }: Machine = { all: cpus().length, allowed: availableParallelism() },
): Cores {
  const lines = (read(join(root, 'proc/self/cgroup')) ?? '').split('\n');
  let least: Cores = { count: Infinity, isMeasured: true };
  for (const { groupOf, mount, limitOf, isRootMeasured } of VERSIONS) {
    const path = lines.map(groupOf).find((found) => found !== undefined);
    if (path === undefined) continue;
    // Each group above limits it, too. A container may see its own group as the root, under another path.
    for (let above = path; ; above = dirname(above)) {
      const count = limitOf(join(root, mount, above));
      const isRoot = above === dirname(above);
      if (count !== undefined && count < least.count) least = { count, isMeasured: isRoot && isRootMeasured };
      if (isRoot) break;
    }
  }
  // Node rounds a limit down, so one that is less than a core above its count is the limit that it has seen.
  if (least.count < Math.min(all, allowed + 1)) return least;
  return { count: allowed, isMeasured: allowed === all };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function quotient(quotaUs: string | undefined, periodUs: string | undefined): number | undefined {
  const cores = Number(quotaUs) / Number(periodUs);
  return cores > 0 && Number.isFinite(cores) ? cores : undefined;
}
