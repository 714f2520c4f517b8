import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { readCores } from '../../worker/cores.ts';

const ALL = 8;
const roots: string[] = [];
afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true });
});

/** Writes these files under a root of their own, and reads the cores there. */
async function coresWith(files: Record<string, string>, allowed = ALL): Promise<ReturnType<typeof readCores>> {
  const root = await mkdtemp(join(tmpdir(), 'engine-cores-'));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return readCores(root, { all: ALL, allowed });
}

const VERSION_1 = '12:memory:/docker/a1\n4:cpu,cpuacct:/docker/a1\n1:name=systemd:/\n0::/\n';

describe('the cores of this process', () => {
  it.each([
    ['the machine without control groups', {}, { count: 8, isMeasured: true }],
    [
      'the machine, when no group has a limit',
      { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': 'max 100000\n' },
      { count: 8, isMeasured: true },
    ],
    [
      'a container of version 2',
      { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': '40000 100000\n' },
      { count: 0.4, isMeasured: true },
    ],
    [
      'the tightest of the groups above, whose use the SDK does not measure',
      {
        'proc/self/cgroup': '0::/a/b\n',
        'sys/fs/cgroup/a/cpu.max': '150000 100000\n',
        'sys/fs/cgroup/a/b/cpu.max': '300000 100000\n',
      },
      { count: 1.5, isMeasured: false },
    ],
    [
      'a group of version 1, which the SDK does not measure',
      {
        'proc/self/cgroup': VERSION_1,
        'sys/fs/cgroup/cpu/docker/a1/cpu.cfs_quota_us': '20000\n',
        'sys/fs/cgroup/cpu/docker/a1/cpu.cfs_period_us': '100000\n',
      },
      { count: 0.2, isMeasured: false },
    ],
    [
      'a container of version 1, which sees its own group as the root',
      {
        'proc/self/cgroup': VERSION_1,
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '250000\n',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
      },
      { count: 2.5, isMeasured: false },
    ],
    [
      'the machine, when a group of version 1 has no limit',
      {
        'proc/self/cgroup': VERSION_1,
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
      },
      { count: 8, isMeasured: true },
    ],
    [
      'the machine, when a limit is more than it has',
      { 'proc/self/cgroup': '0::/\n', 'sys/fs/cgroup/cpu.max': '1600000 100000\n' },
      { count: 8, isMeasured: true },
    ],
  ])('are those of %s', async (_, files, cores) => {
    expect(await coresWith(files)).toEqual(cores);
  });

  const limitOf = (group: string, quotaUs: number) => ({
    'proc/self/cgroup': `0::${group}\n`,
    [`sys/fs/cgroup${group}/cpu.max`]: `${quotaUs} 100000\n`,
  });
  it.each([
    ['a limit that Node has rounded down', limitOf('/', 150_000), 1, { count: 1.5, isMeasured: true }],
    ['a limit of a service that Node has rounded down', limitOf('/a', 150_000), 1, { count: 1.5, isMeasured: false }],
    ['a limit of one core', limitOf('/a', 100_000), 1, { count: 1, isMeasured: false }],
    ['an affinity, which the SDK does not measure', {}, 1, { count: 1, isMeasured: false }],
    ['an affinity below the limit', limitOf('/', 400_000), 2, { count: 2, isMeasured: false }],
  ])('are those of %s', async (_, files, allowed, cores) => {
    expect(await coresWith(files, allowed)).toEqual(cores);
  });
});
