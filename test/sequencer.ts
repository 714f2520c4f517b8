import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Slow to cheap. Files of what is not here come last. */
const FOLDERS = [
  'processes',
  'journeys',
  'automations',
  'loops',
  'dispatch',
  'workflows',
  'activities',
  'db',
  'embedded',
  'api',
  'replay',
  'toolchain',
  'sandbox',
];

interface TestFile {
  path: string;
  context: { config: { rootDir: string } };
}

/**
 * What takes long begins first, so that no worker is left with it at the end: whole engines, then engines inside the
 * test, then what needs a database; the larger file first. Jest's own order needs the times of an earlier run, which a
 * fresh clone has not.
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

function rankOf({ path, context }: TestFile): number {
  const [, folder = ''] = relative(context.config.rootDir, path).split(sep);
  const rank = FOLDERS.indexOf(folder);
  return rank === -1 ? FOLDERS.length : rank;
}
