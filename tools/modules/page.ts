import { cyclesOf, folderOf, importsOf, moduleOf } from './imports.ts';
import type { Import, Source } from './imports.ts';
import { ENGINE, ORDER } from './order.ts';

const BEGIN = '<!-- modules: written by `npm run modules` -->';
const END = '<!-- end of modules -->';

/** Returns the page with its generated part: the folders, the modules, and the imports between them. */
export function withModules(page: string, files: readonly Source[]): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined) {
    throw new Error(`docs/extend/architecture.md lacks the line "${BEGIN}" or "${END}": restore both.`);
  }
  return `${before}${BEGIN}\n\n${modulesText(importsOf(files))}\n\n${END}${after}`;
}

function modulesText(imports: readonly Import[]): string {
  const sections = Object.entries(ORDER)
    .filter(([, lines]) => lines.length > 0)
    .map(([folder, lines]) => sectionOf(folder, lines, imports));
  return [folderChart(imports), LEGEND, ...sections].join('\n\n');
}

const LEGEND =
  'Nearly all folders also import `domain`. A dotted arrow carries types only. Inside a folder, a module imports only modules of lower lines, and those of one ' +
  'line do not know each other. This is the order, with the imports that exist:';

const rootOf = (path: string): string => path.split('/')[0] ?? '';

/** Draws the folders of the engine. Arrows to `domain` are left out, because nearly all folders have one. */
function folderChart(imports: readonly Import[]): string {
  const names = Object.entries(ENGINE).map(([folder, what]) => `  ${folder}["${folder}: ${what}"]`);
  const arrows = Object.keys(ENGINE).flatMap((from) =>
    Object.keys(ENGINE).flatMap((to) => {
      const found = imports.filter((one) => rootOf(one.from) === from && rootOf(one.to) === to);
      if (from === to || to === 'domain' || found.length === 0) return [];
      return [`  ${from} ${found.every(({ isType }) => isType) ? '-.->' : '-->'} ${to}`];
    }),
  );
  return ['```mermaid', 'flowchart TB', ...names, ...arrows, '  local -. HTTP .- adapters', '```'].join('\n');
}

function sectionOf(folder: string, lines: readonly (readonly string[])[], imports: readonly Import[]): string {
  const rows = lines.map((line) => line.map((module) => rowOf(folder, module, lines, imports)).join('; '));
  return [`In \`${folder}/\`:`, '', ...rows.map((row, index) => `${index + 1}. ${row}`)].join('\n');
}

function rowOf(
  folder: string,
  module: string,
  lines: readonly (readonly string[])[],
  imports: readonly Import[],
): string {
  const path = `${folder}/${module}`;
  const known = new Set(imports.filter(({ from }) => moduleOf(from) === path).map(({ to }) => moduleOf(to)));
  const named = lines.flat().filter((name) => name !== module && known.has(`${folder}/${name}`));
  return named.length > 0 ? `**${module}** → ${named.join(', ')}` : `**${module}**`;
}

/** Finds the cycles of files, types included, and those of modules by value. */
export function cycleProblems(files: readonly Source[]): string[] {
  const imports = importsOf(files);
  const ofFiles = cyclesOf(imports.map(({ from, to }) => [from, to]));
  const ofModules = cyclesOf(
    imports
      .filter(({ from, to, isType }) => !isType && rootOf(from) === rootOf(to) && folderOf(from) in ORDER)
      .map(({ from, to }) => [moduleOf(from), moduleOf(to)]),
  );
  return [
    ...ofFiles.map((cycle) => `These files import each other in a cycle: ${cycle.join(', ')}. ${MOVE}`),
    ...ofModules.map((cycle) => `These modules import each other in a cycle: ${cycle.join(', ')}. ${MOVE}`),
  ];
}

const MOVE = 'Move the shared part into a file that imports none of them.';
