import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf, testOf } from './template.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INDEX = 'workflows/automations/index.ts';
/** Two words or more, so that a name is neither a keyword nor a helper file of the folder. */
const NAME = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)+$/;
const MAX_NAME_LENGTH = 64;

export interface NewAutomation {
  /** The files that were written or changed, from the root. */
  written: string[];
}

/** Creates an automation's file, its line in the index and its test. A refused name returns the reason. */
export function newAutomation(name: string, root = ROOT): NewAutomation | { refused: string } {
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    return {
      refused:
        `"${name}" is no name for an automation. Use two or more lower-case words with hyphens, ` +
        `${MAX_NAME_LENGTH} characters at most, such as remind-later.`,
    };
  }
  const code = `workflows/automations/${name}.ts`;
  const test = `test/automations/${name}.test.ts`;
  const taken = [code, test].find((path) => existsSync(join(root, path)));
  if (taken !== undefined) {
    return { refused: `${taken} exists already: choose another name, or change that automation.` };
  }
  const exported = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const index = readFileSync(join(root, INDEX), 'utf8');
  write(root, code, codeOf(name, exported));
  write(root, INDEX, withLine(index, `export { ${exported} } from './${name}.ts';`));
  write(root, test, testOf(name));
  return { written: [code, INDEX, test] };
}

/** The exports stay sorted by name, below the comments. */
function withLine(index: string, line: string): string {
  const lines = index.trimEnd().split('\n');
  const isExport = (each: string): boolean => each.startsWith('export ');
  const exports = [...lines.filter(isExport), line].toSorted();
  return [...lines.filter((each) => !isExport(each)), ...exports, ''].join('\n');
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

if (import.meta.main) {
  const [name = ''] = process.argv.slice(2);
  const made = newAutomation(name);
  if ('refused' in made) {
    console.error(made.refused);
    process.exitCode = 1;
  } else {
    for (const path of made.written) console.log(path);
    console.log(`\nTry it: npm test -- test/automations/${name}.test.ts`);
  }
}
