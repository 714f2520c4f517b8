import { describe, expect, it } from '@jest/globals';
import { writtenFiles } from './source-files.ts';

const TEXT = /\bsql(?:<[^`]*>)?`/g;
/**
 * As many as there are. A test about a plan, a function or a lock needs its text; others call `test/support/rows.ts`.
 */
const MAX_TEXTS = 180;

describe('the tests', () => {
  it('hold no more SQL texts than before: a column that changes concerns each of them, and tsc finds none', () => {
    const tests = writtenFiles().filter(({ path }) => path.endsWith('.test.ts'));
    const counts = tests.map(({ path, text }) => ({ path, texts: [...text.matchAll(TEXT)].length }));
    const most = counts.toSorted((a, b) => b.texts - a.texts).slice(0, 5);
    const total = counts.reduce((sum, { texts }) => sum + texts, 0);
    expect(total).toBeGreaterThan(0);
    if (total > MAX_TEXTS)
      throw new Error(
        `The tests have ${total} SQL texts and may have ${MAX_TEXTS}: use findRows, changeRows and the others of ` +
          `test/support/rows.ts. Most have ${most.map(({ path, texts }) => `${path} (${texts})`).join(', ')}.`,
      );
  });
});
