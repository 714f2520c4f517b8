import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { ARROWS, OUTSIDE_WORLD, REFUSED_EVERYWHERE, MODULE_ARROWS } from './arrows.ts';
import { lint } from './lint.ts';
import type { Finding } from './lint.ts';
import { projectPaths } from './source-files.ts';

const RULE = 'eslint(no-restricted-imports)';
const cases = [...ARROWS, ...MODULE_ARROWS]
  .flatMap(({ folder, refused, allowed }) => [
    ...refused.map((code) => ({ folder, code, verdict: 'refused' })),
    ...allowed.map((code) => ({ folder, code, verdict: 'allowed' })),
  ])
  .map((one, index) => ({ ...one, file: `${one.folder}/case-${index}.ts` }));
const outside = OUTSIDE_WORLD.map((one, index) => ({ ...one, file: `workflows/automations/outside-${index}.ts` }));
const habits = REFUSED_EVERYWHERE.map((one, index) => ({ ...one, file: `api/habit-${index}.ts` }));

it('tries files that there are, so that a case stays true when a file moves', () => {
  const tried = ARROWS.flatMap(({ folder, refused, allowed }) =>
    [...refused, ...allowed]
      .map((code) => /'(\.[^']+)'/.exec(code)?.[1])
      .filter((path) => path !== undefined)
      .map((path) => join(folder, path)),
  );
  const paths = new Set(projectPaths());
  expect(tried.length).toBeGreaterThan(50);
  expect(tried.filter((path) => !paths.has(path))).toEqual([]);
});

describe('the lint', () => {
  let found: Map<string, Finding[]>;
  const rulesOf = (file: string): string[] => (found.get(file) ?? []).map(({ code }) => code);

  beforeAll(async () => {
    found = await lint(
      new Map([
        ...[...cases, ...outside, ...habits].map(({ file, code }) => [file, code] as const),
        ['api/cycle-a.ts', "import './cycle-b.ts';"],
        ['api/cycle-b.ts', "import './cycle-a.ts';"],
      ]),
    );
  });

  it.each(cases.filter(({ verdict }) => verdict === 'refused'))('refuses $code in $folder', ({ file }) => {
    expect(rulesOf(file)).toContain(RULE);
  });

  it.each(cases.filter(({ verdict }) => verdict === 'allowed'))('allows $code in $folder', ({ file }) => {
    expect(rulesOf(file)).not.toContain(RULE);
  });

  it.each(outside)(
    'tells an author of automations who reaches for $what by which rule, and why',
    ({ file, rule, why }) => {
      const told = (found.get(file) ?? []).map(({ code, message, help }) => ({ code, text: `${message} ${help}` }));
      expect(told).toEqual([{ code: rule, text: expect.stringContaining(why) }]);
    },
  );

  it.each(habits)('refuses $what', ({ file }) => {
    expect(found.get(file)).not.toBeUndefined();
  });

  it('refuses a cycle of imports', () => {
    expect(rulesOf('api/cycle-a.ts')).toContain('import(no-cycle)');
  });
});
