import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the project's root. */
  path: string;
  text: string;
}

const FOLDERS = '{api,activities,backend,bin,bench,db,dispatch,domain,embedded,sandbox,worker,workflows}';

/** Everything that runs in production: no tests, no tools. */
export function sourceFiles(): SourceFile[] {
  return globSync([`${FOLDERS}/**/*.{ts,mjs}`, 'config.ts'], { cwd: ROOT })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}
