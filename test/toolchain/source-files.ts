import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root. */
  path: string;
  text: string;
}

const FOLDERS =
  '{api,activities,backend,bench,bin,console,db,demo,deploy,dispatch,domain,embedded,faults,loops,sandbox,sdk,worker,workflows}';

/** True for what the engine itself is made of; false for what measures, shows, ships or calls it. */
export function isEngine({ path }: SourceFile): boolean {
  return !/^(bench|console|demo|deploy|faults|sdk)\//.test(path);
}

/** Everything but tests. */
export function sourceFiles(): SourceFile[] {
  return read(`${FOLDERS}/**/*.{ts,tsx,mjs}`, '*.ts');
}

/** Everything that somebody wrote: SQL and tests, too. */
export function writtenFiles(): SourceFile[] {
  return read(`${FOLDERS}/**/*.{ts,tsx,mjs,sql}`, 'test/**/*.ts', '*.ts');
}

/** The pages for whoever reads about the engine. */
export function docsPages(): SourceFile[] {
  return read('docs/*.md');
}

/** The files and folders of the project that somebody has written, by their paths from its root. */
export function projectPaths(): string[] {
  return globSync(`{.ci,docs,test,${FOLDERS.slice(1)}/**`, { cwd: ROOT }).concat(globSync('*', { cwd: ROOT }));
}

/** What databases are made of, in its order. */
export function migrations(): SourceFile[] {
  return read('db/migrations/*.sql');
}

function read(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: ROOT })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}
