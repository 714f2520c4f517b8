import { dirname, join } from 'node:path';
import { ORDER } from './order.ts';

export interface Source {
  /** From the project's root. */
  path: string;
  text: string;
}

/**
 * One file imports another one. `isType` is true if only types cross, so that nothing runs; `isLazy` if it loads the
 * other one while it runs.
 */
export interface Import {
  from: string;
  to: string;
  isType: boolean;
  isLazy: boolean;
}

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?'(\.[^']+)'/gm;
const DYNAMIC = /\bimport\('(\.[^']+)'\)/g;

/** The imports between these files. */
export function importsOf(files: readonly Source[]): Import[] {
  const paths = new Set(files.map(({ path }) => path));
  return files.flatMap(({ path: from, text }) =>
    [
      ...[...text.matchAll(STATEMENT)].map(([, type, to = '']) => ({ to, isType: type !== undefined, isLazy: false })),
      ...[...text.matchAll(DYNAMIC)].map(([, to = '']) => ({ to, isType: false, isLazy: true })),
    ]
      .map(({ to, ...how }) => ({ from, to: join(dirname(from), to), ...how }))
      .filter(({ to }) => paths.has(to)),
  );
}

/** The folder whose order the path stands in: the innermost that has one, else the one at the root. */
export function folderOf(path: string): string {
  const parts = path.split('/').slice(0, -1);
  const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return above.findLast((folder) => folder in ORDER) ?? above[0] ?? '';
}

/** A folder of a folder is a module, and so is each file beside them. */
export function moduleOf(path: string): string {
  const folder = folderOf(path);
  const [module, ...rest] = path.slice(folder.length + 1).split('/');
  return rest.length > 0 ? `${folder}/${module}` : path;
}

export type Arrow = readonly [from: string, to: string];

/** Finds the cycles: of each group whose members all reach each other, the members in alphabetical order. */
export function cyclesOf(arrows: readonly Arrow[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of arrows) {
    if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reached = new Map([...next.keys()].map((from) => [from, reachOf(from, next)]));
  const groups = new Map<string, string[]>();
  for (const [from, seen] of reached) {
    const group = [...seen].filter((to) => reached.get(to)?.has(from)).toSorted();
    if (seen.has(from)) groups.set(group.join(' '), group);
  }
  return [...groups.values()];
}

function reachOf(from: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next.get(at) ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      open.push(to);
    }
  }
  return seen;
}
