import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BESIDE } from '../../tools/modules/order.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root. */
  path: string;
  text: string;
}

/** Never source: what git ignores, the guides, and the tests, which some guards read and others do not. */
const NOT_SOURCE = new Set([...ignoredByGit(), 'docs', 'test']);
/** Read from the tree, so that no guard misses a new folder. */
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_SOURCE.has(entry.name))
  .map((entry) => entry.name);
const SOURCE = `{${FOLDERS.join(',')}}`;

/** True for what the engine itself is made of; false for what measures, proves, shows, ships or calls it. */
export function isEngine({ path }: SourceFile): boolean {
  return !BESIDE.includes(path.split('/')[0] ?? '');
}

/** Everything but tests. */
export function sourceFiles(): SourceFile[] {
  return read(`${SOURCE}/**/*.{ts,tsx,mjs}`, '*.ts');
}

/** Everything that somebody wrote: SQL and tests, too. */
export function writtenFiles(): SourceFile[] {
  return read(`${SOURCE}/**/*.{ts,tsx,mjs,sql}`, 'test/**/*.ts', '*.ts');
}

/** Everything that may hold comments: also scripts, style sheets, settings and the snippets of the pages. */
export function commentedFiles(): SourceFile[] {
  return [
    ...writtenFiles(),
    ...scriptFiles(),
    ...read(
      `{${FOLDERS.join(',')},test}/**/*.{css,sh,py,yaml,yml,toml}`,
      'local/sandbox/page/*.js',
      'docs/snippets/**/*.{ts,js,py,go,php}',
      '.ci/*',
      '*.{mjs,yml}',
    ),
  ];
}

/** The pages for readers, below `docs/`. */
export function docsPages(): SourceFile[] {
  return read('docs/**/*.md');
}

/** The files without an ending that cite pages. */
export function scriptFiles(): SourceFile[] {
  return read('Dockerfile', 'engine');
}

/** The files and folders of the project that somebody has written, by their paths from its root. */
export function projectPaths(): string[] {
  return globSync(`{.ci,docs,test,${FOLDERS.join(',')}}/**`, { cwd: ROOT }).concat(globSync('*', { cwd: ROOT }));
}

/** Reads the migrations, in their order. */
export function migrations(): SourceFile[] {
  return read('db/migrations/*.sql');
}

function read(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: ROOT })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

/** The folders at the root that `.gitignore` names. */
function ignoredByGit(): string[] {
  return readFileSync(join(ROOT, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('/'))
    .map((line) => line.slice(0, -1));
}
