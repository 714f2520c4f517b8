import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { CLI_PAGE, cliPage } from '../../bin/cli/page.ts';
import { USAGE } from '../../bin/cli/usage.ts';
import { CONFIGURATION_PAGE, configurationPage } from '../../bin/settings/env-example.ts';

describe('a generated page of the reference', () => {
  it.each([
    ['configuration', 'env-example', CONFIGURATION_PAGE, configurationPage],
    ['command line', 'cli-page', CLI_PAGE, cliPage],
  ])('matches its source: %s (npm run %s)', (_name, _script, page, made) => {
    expect(readFileSync(page, 'utf8')).toBe(made());
  });

  it('describes each command and option of the help text', () => {
    const rows = cliPage()
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split(' | '));
    const entries = USAGE.split('\n').filter((line) => /^(?:engine| {2}--)/.test(line));
    expect(rows).toHaveLength(entries.length);
    for (const [, text = ''] of rows) expect(text).toMatch(/\w{3}/);
  });
});
