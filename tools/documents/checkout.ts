import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../demo/engine-process.ts';

/** Copies what git has or would add of this checkout: what a reader gets who clones it. */
export function freshClone(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engine-documents-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT });
  for (const path of new Set(listed.toString().split('\0'))) {
    if (path === '') continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    cpSync(join(ROOT, path), join(directory, path), { force: true });
  }
  return directory;
}

/** Lends the packages of this checkout to the clone, which is faster than an installation. */
export function lendPackages(clone: string): void {
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
}
