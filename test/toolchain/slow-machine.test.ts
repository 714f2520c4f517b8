import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, sourceFiles } from './source-files.ts';

/** The folders whose waits are for this machine, and not for the network or a person. */
const FOLDERS = /^(dispatch|loops|worker|embedded|activities\/(sending|webhooks\/shards)|workflows\/timeouts)/;
/** The names of constants that say how long something may take. */
const CONSTANT =
  /^(?:export )?const (?<name>\w*(?:WITHIN|LEASE|TIMEOUT|DEADLINE|GRACE|FORCE|STUCK|SLOW|LATE|OVERDUE|REFUSED_FOR|CALL_MS)\w*) = /gm;
const UNITS = /_(MS|SECONDS|WITHIN)$/;
const ROW = /^\| `(?<name>\w+)` of `(?<path>[^`]+)` *\| (?<value>[^|]+) \| (?<reason>[^|]+) \|$/gm;

const inCode = sourceFiles()
  .filter(({ path }) => FOLDERS.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(CONSTANT)].map(({ groups }) => ({ path, name: groups?.['name'] ?? '' })),
  )
  .filter(({ name }) => UNITS.test(name))
  .map(({ path, name }) => `${name} of ${path}`);
const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
const rows = [...page.matchAll(ROW)].map(({ groups }) => ({
  constant: `${groups?.['name']} of ${groups?.['path']}`,
  reason: groups?.['reason']?.trim() ?? '',
}));

describe('the table of constants that assume a fast machine', () => {
  it('has each constant of the code, and no other', () => {
    expect(rows.map(({ constant }) => constant).toSorted()).toEqual(inCode.toSorted());
  });

  it.each(rows)('gives the reason of $constant', ({ reason }) => {
    expect(reason).toMatch(/^[A-Z].{10,}\.$/);
  });
});
