import { dirname, join } from 'node:path';
import { linesOf } from './guards.ts';
import type { Guard } from './guards.ts';

/** The start of a comment in a line of code; a page is prose from its beginning. */
const COMMENT = /(?:^\s*\*|\/\*\*|\/\/|--) /;
const QUOTED = /`([\w.-]+(?:\/[\w.-]+)*\/?)`/g;
/** A command writes these, and nobody keeps them. */
const MADE = ['bench-results.json'];
const FILE = /\.(?:ts|mjs|sql|md|json|toml|yaml)$/;

/**
 * A path in backticks is there: from the root, or from the file that cites it. A name alone may be that of any file. A
 * text that begins with no folder of ours and ends as no file does is no path.
 */
export function guardCitedPaths(paths: readonly string[]): Guard {
  const known = new Set([...paths, ...MADE]);
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const kinds = new Set(paths.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))));
  const isPath = (quoted: string): boolean =>
    FILE.test(quoted) || (quoted.includes('/') && kinds.has(quoted.slice(0, quoted.indexOf('/'))));
  const isThere = (quoted: string, citing: string): boolean => {
    const path = quoted.replace(/\/$/, '');
    return known.has(path) || known.has(join(dirname(citing), path)) || names.has(path);
  };
  return (files) =>
    files.flatMap(({ path, text }) =>
      linesOf(text).flatMap((line, index) => {
        const start = path.endsWith('.md') ? 0 : line.search(COMMENT);
        if (start < 0) return [];
        return [...line.slice(start).matchAll(QUOTED)]
          .map(([, quoted = '']) => quoted)
          .filter((quoted) => isPath(quoted) && !isThere(quoted, path))
          .map(
            (quoted) => `${path}:${index + 1} names \`${quoted}\`, which is not there: write the path that it has now.`,
          );
      }),
    );
}
