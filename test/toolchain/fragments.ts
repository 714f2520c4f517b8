import { folderOf, importsOf, moduleOf } from '../../tools/modules/imports.ts';
import { ENGINE } from '../../tools/modules/order.ts';
import { linesOf } from './guards.ts';
import type { Guard } from './guards.ts';

const MIN_LINES = 40;
const SAYS_WHY = /\bA file of its own, because\b/;
/** An automation is one file, however short; the sandbox keeps a file for each kind of route. */
const MAY_BE_SHORT = /^(workflows\/automations\/[^/]+|local\/sandbox\/.+)\.ts$/;

/** A reader follows a subject in one file. A few lines that one neighbour uses are part of that neighbour. */
export const guardFragments: Guard = (files) => {
  const imports = importsOf(files.filter(({ path }) => !path.startsWith('test/')));
  return files
    .filter(({ path }) => path.endsWith('.ts') && (path.split('/')[0] ?? '') in ENGINE && !MAY_BE_SHORT.test(path))
    .filter(({ text }) => linesOf(text).length < MIN_LINES && !SAYS_WHY.test(text))
    .flatMap(({ path, text }) => {
      const importers = imports.filter(({ to }) => to === path);
      const [only] = importers;
      if (only === undefined || importers.length > 1 || only.isLazy) return [];
      if (ownerOf(only.from) !== ownerOf(path)) return [];
      return [
        `${path} has ${linesOf(text).length} lines, and only ${only.from} imports it: move it there, or begin a comment in it with "A file of its own, because".`,
      ];
    });
};

/** The module, or for the files beside modules their folder. */
const ownerOf = (path: string): string => (moduleOf(path) === path ? folderOf(path) : moduleOf(path));
