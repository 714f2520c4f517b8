import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FUNCTIONS_VERSION } from '../../db/functions.ts';
import { workflowFunctions } from '../../db/registry/workflow-functions.ts';
import { ROOT } from './source-files.ts';

interface Functions {
  version: number;
  /** The text of each file, wherever it lies. */
  sources: string[];
}

const HOLDS_FUNCTIONS = /^db\/(?!migrations\/|indexes\/).+\.sql$/;

/** Returns the work that a release needs before it brings these functions to a database with the previous ones. */
function versionProblem(previous: Functions, current: Functions): string | null {
  const known = new Set(previous.sources);
  const isSame = current.sources.length === known.size && current.sources.every((source) => known.has(source));
  return isSame || current.version > previous.version
    ? null
    : `db/functions.ts has the version ${current.version} of the previous release, whose functions are others: raise FUNCTIONS_VERSION, else a process of that release puts its own back.`;
}

/** Reads the functions of the release that `.ci/previous-release` names; its commit must be in this clone's history. */
function functionsOfPreviousRelease(): Functions {
  const commit = readFileSync(join(ROOT, '.ci/previous-release'), 'utf8').trim();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  const files = git('ls-tree', '-r', '--name-only', commit, 'db').split('\n');
  const [, version] = /VERSION = (\d+);/.exec(git('show', `${commit}:db/functions.ts`)) ?? [];
  return {
    version: Number(version),
    sources: files.filter((file) => HOLDS_FUNCTIONS.test(file)).map((file) => git('show', `${commit}:${file}`)),
  };
}

function functionsNow(): Functions {
  const files = readdirSync(join(ROOT, 'db'), { recursive: true, encoding: 'utf8' }).map((file) => `db/${file}`);
  return {
    version: FUNCTIONS_VERSION,
    sources: files.filter((file) => HOLDS_FUNCTIONS.test(file)).map((file) => readFileSync(join(ROOT, file), 'utf8')),
  };
}

/** The SQL files of functions that the list of `db/functions.ts` forgets: no database would get them. */
function unlisted(paths: readonly string[]): string[] {
  const list = readFileSync(join(ROOT, 'db/functions.ts'), 'utf8');
  return paths
    .filter((path) => HOLDS_FUNCTIONS.test(path) && !list.includes(`'${path.slice('db/'.length, -'.sql'.length)}'`))
    .map((path) => `${path} is missing from FILES of db/functions.ts: add it behind the functions that it calls.`);
}

describe('the list of files with functions', () => {
  const paths = readdirSync(join(ROOT, 'db'), { recursive: true, encoding: 'utf8' }).map((file) => `db/${file}`);

  it('names every such file', () => {
    expect(paths).toContain('db/sending/claim.sql');
    expect(unlisted(paths)).toEqual([]);
  });

  it('is refused without one, but needs no migration', () => {
    expect(unlisted(['db/sending/new.sql', 'db/migrations/0999-new.sql'])).toEqual([
      'db/sending/new.sql is missing from FILES of db/functions.ts: add it behind the functions that it calls.',
    ]);
  });
});

describe('the version of the database’s functions', () => {
  it('is above the previous release’s where a function has changed', () => {
    const previous = functionsOfPreviousRelease();
    expect(previous.version).toBeGreaterThan(0);
    expect(previous.sources.length).toBeGreaterThan(0);
    expect(versionProblem(previous, functionsNow())).toBeNull();
  });

  it('guards the functions that `npm run workflow-functions` writes into db/registry/workflows.sql from domain/workflows.ts', () => {
    expect(functionsNow().sources).toContainEqual(workflowFunctions());
  });

  it('is refused where it stays although a function was changed, added or taken away', () => {
    const previous = { version: 4, sources: ['a', 'b'] };
    for (const sources of [['a', 'c'], ['a', 'b', 'c'], ['a']]) {
      expect(versionProblem(previous, { version: 4, sources })).toContain('raise FUNCTIONS_VERSION');
      expect(versionProblem(previous, { version: 5, sources })).toBeNull();
    }
    expect(versionProblem(previous, { version: 4, sources: ['b', 'a'] })).toBeNull();
  });
});
