import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BESIDE, ENGINE, ORDER } from './order.ts';

/** The folders at the root that somebody wrote, and those inside each folder that has an order. */
export interface Tree {
  root: readonly string[];
  modules: Readonly<Record<string, readonly string[]>>;
}

export function readTree(root: string): Tree {
  const ignored = ignoredByGit(root);
  return {
    root: foldersOf(root).filter((name) => !name.startsWith('.') && !ignored.has(name)),
    modules: Object.fromEntries(Object.keys(ORDER).map((folder) => [folder, foldersOf(join(root, folder))])),
  };
}

/** Says in one sentence for each folder what its author must do, because the order does not know it. */
export function misplaced({ root, modules }: Tree): string[] {
  const known = [...Object.keys(ENGINE), ...BESIDE];
  const inRoot = root
    .filter((name) => !known.includes(name))
    .map(
      (name) =>
        `The folder ${name} is missing from tools/modules/order.ts: add it to ENGINE if the engine runs it, else to BESIDE.`,
    );
  const inFolders = Object.entries(ORDER).flatMap(([folder, lines]) => {
    const ordered = lines.flat();
    const found = modules[folder] ?? [];
    return [
      ...found
        .filter((name) => !ordered.includes(name))
        .map(
          (name) =>
            `The module ${folder}/${name} is missing from tools/modules/order.ts: add it to a line of ORDER.${folder} that is above all modules that it imports.`,
        ),
      ...ordered
        .filter((name) => !found.includes(name))
        .map(
          (name) =>
            `tools/modules/order.ts orders ${folder}/${name}, which does not exist: remove it from ORDER.${folder}.`,
        ),
    ];
  });
  return [...inRoot, ...inFolders];
}

/** The modules that a module must not import: all of its own line and of the lines above. */
export function strangersOf(folder: string, module: string): string[] {
  const lines = ORDER[folder] ?? [];
  const own = lines.findIndex((line) => line.includes(module));
  return lines
    .slice(0, own + 1)
    .flat()
    .filter((name) => name !== module);
}

function foldersOf(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function ignoredByGit(root: string): Set<string> {
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n');
  return new Set(lines.filter((line) => line.endsWith('/')).map((line) => line.slice(0, -1)));
}
