import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import SlowestFirst from '../sequencer.ts';
import { ROOT } from './source-files.ts';

const context = { config: { rootDir: ROOT } };
const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => ({ path: join(ROOT, 'test', path), context }));

describe('the order of tests', () => {
  it('knows every folder that has some, and begins with whole processes', () => {
    const sorted = new SlowestFirst().sort(files);
    expect(sorted).toHaveLength(files.length);
    expect(sorted[0]?.path).toContain('/test/processes/');
  });

  it('says what to do about a folder that it does not know', () => {
    // A file that exists, below a root from which its folder has another name.
    const stranger = {
      path: join(ROOT, 'test/toolchain/sequencer.test.ts'),
      context: { config: { rootDir: join(ROOT, '..') } },
    };
    expect(() => new SlowestFirst().sort([stranger])).toThrow(
      'test/test is missing from FOLDERS of test/sequencer.ts: add it, the slower before the cheaper.',
    );
  });
});
