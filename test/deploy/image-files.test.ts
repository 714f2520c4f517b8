import { existsSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { SERVED } from '../../api/docs/shelves.ts';
import { BuildContext } from '../../deploy/image/context.ts';
import { readManifest } from '../toolchain/packages.ts';
import { ROOT } from '../toolchain/source-files.ts';

/** The programs that Dockerfile and docker-compose.yml run, and the files that the two bundlers begin with. */
const PROGRAMS = ['bin/start.mjs', 'bin/bundle.ts', 'bin/console-bundle.ts', 'deploy/worker-health.ts'];
const BUNDLED = ['workflows/index.ts', 'workflows/interceptors.ts', 'packages/console/main.tsx'];

/** A file beside the module, such as SQL, a page or the program of another process. */
const BESIDE = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g;

interface Loaded {
  files: string[];
  packages: string[];
}

/** Follows the imports from these files, also those that happen later (`import()`), and the files that they name. */
async function loadedFrom(entries: string[]): Promise<Loaded> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: entries,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    metafile: true,
    write: false,
    outdir: 'unused',
    logLevel: 'silent',
  });
  const modules = Object.keys(metafile.inputs);
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  const outside = imported.filter(({ external }) => external === true).map(({ path }) => path);
  const beside = modules.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(BESIDE)]
      .map(([, name = '']) => fileURLToPath(new URL(name, pathToFileURL(join(ROOT, path)))))
      .filter((target) => existsSync(target) && statSync(target).isFile())
      .map((target) => relative(ROOT, target)),
  );
  return { files: [...new Set([...modules, ...beside])], packages: packagesOf(outside) };
}

function packagesOf(specifiers: string[]): string[] {
  const names = specifiers
    .filter((path) => !path.startsWith('node:') && !builtinModules.includes(path))
    .map((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path);
  return [...new Set(names)].toSorted();
}

describe('the files of the image', () => {
  const context = BuildContext.of(ROOT);
  let loaded: Loaded;
  beforeAll(async () => {
    loaded = await loadedFrom([...PROGRAMS, ...BUNDLED]);
  });

  it('contain each module that the API and the worker load', () => {
    expect(loaded.files).toEqual(
      expect.arrayContaining(['bin/api.ts', 'bin/worker.ts', 'loops/apply-backend-event.ts']),
    );
    // This program has a process of its own, and only its path names it.
    expect(loaded.files).toContain('activities/thumbnails/program.mjs');
    expect(loaded.files.filter((path) => !context.includes(path))).toEqual([]);
  });

  it('contain each guide that the API serves', () => {
    expect(SERVED.length).toBeGreaterThan(20);
    expect(SERVED.filter((path) => !context.includes(path))).toEqual([]);
  });

  it('contain no folder that neither the API nor the worker uses: .dockerignore must name it', () => {
    const used = new Set([...loaded.files, ...SERVED].map(folderOf));
    const sent = new Set(context.files(ROOT).map(folderOf));
    expect([...sent].filter((folder) => !used.has(folder))).toEqual([]);
  });

  it.each([
    'tools/bench/main.ts',
    'test/config/config.test.ts',
    'tools/faults/main.ts',
    'deploy/image/main.ts',
    'tools/browser/main.ts',
  ])('do not contain %s, which only proves or measures', (path) => expect(context.includes(path)).toBe(false));

  it.each([
    '.env',
    '.env.production',
    'packages/console/.env',
    'production.env',
    '.git/config',
    'data/engine.log',
    'data-2/x',
    '.ci/run',
  ])('never contain %s', (path) => expect(context.includes(path)).toBe(false));
});

describe('npm start', () => {
  it('loads packages that an installation without development tools has', async () => {
    const { packages } = await loadedFrom(PROGRAMS);
    const { dependencies } = readManifest();
    expect(packages).toContain('@temporalio/worker');
    expect(packages.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  });
});

describe('the rules of .dockerignore', () => {
  it.each([
    ['a', 'a', false],
    ['a', 'a/deep/file', false],
    ['a', 'b/a', true],
    ['/a/', 'a/file', false],
    ['**/a', 'b/c/a', false],
    ['**/.*', '.env', false],
    ['**/.*\n!.npmrc', '.npmrc', true],
    ['**/.*\n!.npmrc', 'b/.npmrc', false],
    ['*.md', 'README.md', false],
    ['*.md', 'folder/notes.md', true],
    ['a/*\n!a/kept', 'a/kept', true],
    ['a/*\n!a/kept', 'a/other', false],
    ['# a\n\nb?', 'b1', false],
    ['b.c', 'bxc', true],
  ])('with %j let %s in: %s', (dockerignore, path, isIn) => {
    expect(new BuildContext(dockerignore).includes(path)).toBe(isIn);
  });

  it('refuse what this check would read differently from Docker', () => {
    expect(() => new BuildContext('[ab]')).toThrow(/not understood/);
  });
});

/** The first folder of a path; files at the root count as one. */
function folderOf(path: string): string {
  return dirname(path).split('/')[0] ?? '';
}
