import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { check, resolveConfig } from 'prettier';
import { newAutomation } from '../../bin/automation-new/main.ts';
import { recordIfPassed, refusalToRecord } from '../automations/histories.ts';
import { guardAutomations } from '../toolchain/automations.ts';
import { lint } from '../toolchain/lint.ts';

const NAME = 'remind-the-silent-ones';
const CODE = `workflows/automations/${NAME}.ts`;
const INDEX = 'workflows/automations/index.ts';
const TEST = `test/automations/${NAME}.test.ts`;

describe('npm run automation:new', () => {
  let root: string;
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'automation-new-'));
    mkdirSync(join(root, 'workflows/automations'), { recursive: true });
    writeFileSync(
      join(root, INDEX),
      "/** All of them. */\nexport { askHow } from './ask-how.ts';\nexport { welcome } from './welcome.ts';\n",
    );
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('gives an author the automation, its line in the index and its test', async () => {
    expect(newAutomation(NAME, root)).toEqual({ written: [CODE, INDEX, TEST] });
    expect(read(INDEX).split('\n')).toEqual([
      '/** All of them. */',
      "export { askHow } from './ask-how.ts';",
      `export { remindTheSilentOnes } from './${NAME}.ts';`,
      "export { welcome } from './welcome.ts';",
      '',
    ]);
    const files = [CODE, INDEX, TEST].map((path) => ({ path, text: read(path) }));
    expect(guardAutomations(files)).toEqual([]);
    for (const { path, text } of files) {
      const options = await resolveConfig(join(import.meta.dirname, '../..', path));
      expect([path, await check(text, { ...options, filepath: path })]).toEqual([path, true]);
    }
    expect(await lint(new Map(files.map(({ path, text }) => [path, text])))).toEqual(new Map());
  });

  it.each(['Remind', 'remind', 'remind_later', 'remind-', 'remind-2', '../remind-later', '', `a-${'b'.repeat(63)}`])(
    'refuses the name %j',
    (name) => {
      expect(newAutomation(name, root)).toEqual({
        refused: expect.stringMatching(/ is no name for an automation\. Use /),
      });
      expect(read(INDEX).match(/^export/gm)).toHaveLength(2);
    },
  );

  it('tells an author of a name that is taken, and writes nothing over', () => {
    newAutomation(NAME, root);
    writeFileSync(join(root, CODE), 'changed since');
    expect(newAutomation(NAME, root)).toEqual({ refused: expect.stringContaining(`${CODE} exists already`) });
    expect(read(CODE)).toBe('changed since');
    expect(read(INDEX).match(/remindTheSilentOnes/g)).toHaveLength(1);
  });
});

describe('npm run automation:record', () => {
  const versions = new Map([
    ['ask-satisfaction', 2],
    ['remind-later', 1],
  ]);

  it('tells an author of a name that no automation has', () => {
    expect(refusalToRecord('remind', versions)).toBe(
      'No automation "remind" exists: name one of ask-satisfaction, remind-later.',
    );
  });

  it('records no version over, because executions of it may be open', () => {
    expect(refusalToRecord('ask-satisfaction', versions)).toMatch(
      /^Version 2 of ask-satisfaction is already recorded, .* Raise the version, .* delete its histories first: test\/replay\/histories\/automations\/run-automation-ask-satisfaction-v2-1\.json, /,
    );
    expect(refusalToRecord('ask-satisfaction', new Map([['ask-satisfaction', 3]]))).toBeNull();
    expect(refusalToRecord('remind-later', versions)).toBeNull();
  });

  it.each([
    ['keeps what a test that passes has told', true, ['run-automation-remind-later-v1-1.json']],
    ['keeps nothing of a test that fails, so that an author can record again', false, []],
  ])('%s', (_, passes, kept) => {
    const folder = mkdtempSync(join(tmpdir(), 'automation-record-'));
    const files = recordIfPassed((drafts) => {
      writeFileSync(join(drafts, 'run-automation-remind-later-v1-1.json'), '{}');
      return passes;
    }, folder);
    expect(files).toEqual(passes ? kept : null);
    expect(readdirSync(folder)).toEqual(kept);
    rmSync(folder, { recursive: true });
  });
});
