import { basename } from 'node:path';
import { definitionName } from '../../domain/automations/name.ts';
import type { Guard } from './guards.ts';

const FOLDER = 'workflows/automations/';
const INDEX = `${FOLDER}index.ts`;
const DEFINED = /^export const (\w+) = defineAutomation\(/gm;

/** An automation that the index forgets would be there for nobody, and one without a test for nobody to trust. */
export const guardAutomations: Guard = (files) => {
  const index = files.find(({ path }) => path === INDEX)?.text ?? '';
  const tests = new Set(files.map(({ path }) => path).filter((path) => path.startsWith('test/automations/')));
  return files
    .filter(({ path }) => path.startsWith(FOLDER))
    .flatMap(({ path, text }) => [...text.matchAll(DEFINED)].map(([, exported = '']) => ({ path, exported })))
    .flatMap(({ path, exported }) => {
      const name = definitionName(exported);
      const line = `export { ${exported} } from './${basename(path)}';`;
      const test = `test/automations/${name}.test.ts`;
      return [
        ...(index.includes(line) ? [] : [`${path} is not listed, so it does not exist: write ${line} into ${INDEX}.`]),
        ...(basename(path) === `${name}.ts`
          ? []
          : [`${path} has ${exported}, which the API calls ${name}: call the file ${name}.ts.`]),
        ...(tests.has(test) ? [] : [`${path} has no test: write ${test}, as docs/extend/test-automation.md shows.`]),
      ];
    });
};
