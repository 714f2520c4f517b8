import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The folders of tests, slow to cheap. A folder that is missing here fails the run. */
const FOLDERS = [
  'processes',
  'journeys',
  'automations',
  'loops',
  'workflows',
  'activities',
  'db',
  'api',
  'replay',
  'toolchain',
  'local',
  'adapters',
  'bin',
  'config',
  'contract',
  'deploy',
  'domain',
  'packages',
  'worker',
];

interface TestFile {
  path: string;
  context: { config: { rootDir: string } };
}

/**
 * Starts the slowest files first, so that no worker ends late. Whole engines come first, then engines inside the test,
 * then tests with a database; larger files come first. Jest's own order needs the times of an earlier run, which a
 * fresh clone lacks.
 */
export default class SlowestFirst {
  sort<T extends TestFile>(tests: Iterable<T>): T[] {
    return [...tests]
      .map((test) => ({ test, rank: rankOf(test), size: statSync(test.path).size }))
      .toSorted((a, b) => a.rank - b.rank || b.size - a.size)
      .map(({ test }) => test);
  }

  /** For `--onlyFailures`, which needs a memory of the last run: there is none, so all of them. */
  allFailedTests<T extends TestFile>(tests: Iterable<T>): T[] {
    return this.sort(tests);
  }

  cacheResults(): void {
    // The order does not depend on results.
  }
}

/** The first folders take long; of the others, the larger file still goes first. */
const FIRST = FOLDERS.indexOf('local') + 1;

function rankOf({ path, context }: TestFile): number {
  const [, folder = '', file] = relative(context.config.rootDir, path).split(sep);
  // A test at the root of `test/` is cheap.
  if (file === undefined) return FIRST;
  const rank = FOLDERS.indexOf(folder);
  if (rank === -1) {
    throw new Error(
      `test/${folder} is missing from FOLDERS of test/sequencer.ts: add it, the slower before the cheaper.`,
    );
  }
  return Math.min(rank, FIRST);
}
