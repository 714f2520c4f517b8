import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Docker applies the patterns in their order, and the last one that matches decides. */
interface Rule {
  pattern: RegExp;
  /** Written with a leading "!". */
  isException: boolean;
}

/** Decides which files of a checkout Docker sends to the build, by the rules of .dockerignore. */
export class BuildContext {
  readonly #rules: readonly Rule[];

  constructor(dockerignore: string) {
    this.#rules = dockerignore
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => ({ pattern: patternOf(line.replace(/^!/, '')), isException: line.startsWith('!') }));
  }

  static of(root: string): BuildContext {
    return new BuildContext(readFileSync(join(root, '.dockerignore'), 'utf8'));
  }

  /** True for a path from the root that enters the image. A pattern for a folder holds for everything in it. */
  includes(path: string): boolean {
    const parts = path.split('/');
    const paths = parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
    return this.#rules.reduce(
      (included, { pattern, isException }) => (paths.some((each) => pattern.test(each)) ? isException : included),
      true,
    );
  }

  /** Lists the files below a root that enter the image. */
  files(root: string, folder = ''): string[] {
    return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // A folder that is kept out is read all the same, since an exception may name a file in it; packages are too many.
      if (entry.isDirectory()) return NEVER_READ.has(entry.name) ? [] : this.files(root, path);
      return this.includes(path) ? [path] : [];
    });
  }
}

const NEVER_READ = new Set(['node_modules', '.git', 'dist']);

function patternOf(written: string): RegExp {
  const glob = written.replace(/^\//, '').replace(/\/$/, '');
  // A character class would be read as plain characters here, and this answer would differ from Docker's.
  if (/[[\]\\]/.test(glob)) throw new Error(`.dockerignore: "${written}" has characters that are not understood here.`);
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[^*?]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.replaceAll(/[.+^${}()|]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source}$`);
}
