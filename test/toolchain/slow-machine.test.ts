import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT, sourceFiles } from './source-files.ts';

/** The folders whose waits are for this machine, and not for the network or a person. */
const FOLDERS =
  /^(loops|worker|local\/embedded|activities\/(sending|webhooks\/shards)|workflows\/timeouts|db\/(dispatch|engine\/statement-places|reconcile|agent|automations|sending\/claim))/;
/** The names of constants that say how long something may take. */
const CONSTANT =
  /^(?:export )?const (?<name>\w*(?:WITHIN|LEASE|TIMEOUT|DEADLINE|GRACE|FORCE|STUCK|SLOW|LATE|OVERDUE|REFUSED_FOR|CALL_MS|SILENT|ANSWERING|AT_WORK|HEAD_START|BESIDE_FOR|HELD_UP)\w*) = /gm;
const UNITS = /_(MS|SECONDS|WITHIN)$/;
const ROW = /^\| `(?<name>\w+)` of `(?<path>[^`]+)` *\| (?<value>[^|]+) \| (?<reason>[^|]+) \|$/gm;

/** The times without a report after which Temporal gives an activity to another worker are literals of the workflows. */
const HEARTBEAT = /heartbeatTimeout: '(?<value>[^']+)'/g;
const HEARTBEAT_ROW = /^\| (?<value>\d+ s) +\| (?<paths>`workflows[^|]+)\|$/gm;

const heartbeats = new Set(
  sourceFiles()
    .filter(({ path }) => path.startsWith('workflows/'))
    .flatMap(({ path, text }) => [...text.matchAll(HEARTBEAT)].map(({ groups }) => `${groups?.['value']}: ${path}`)),
);

const inCode = sourceFiles()
  .filter(({ path }) => FOLDERS.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(CONSTANT)].map(({ groups }) => ({ path, name: groups?.['name'] ?? '' })),
  )
  .filter(({ name }) => UNITS.test(name))
  .map(({ path, name }) => `${name} of ${path}`);
const page = readFileSync(join(ROOT, 'docs/reference/timeouts.md'), 'utf8');
const rows = [...page.matchAll(ROW)].map(({ groups }) => ({
  constant: `${groups?.['name']} of ${groups?.['path']}`,
  reason: groups?.['reason']?.trim() ?? '',
}));

describe('the table of constants that assume a fast machine', () => {
  it('has each constant of the code, and no other', () => {
    expect(rows.map(({ constant }) => constant).toSorted()).toEqual(inCode.toSorted());
  });

  it('has each heartbeat of a workflow, and no other', () => {
    const listed = [...page.matchAll(HEARTBEAT_ROW)].flatMap(({ groups }) =>
      [...(groups?.['paths'] ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => `${groups?.['value']}: ${path}`),
    );
    expect(listed.toSorted()).toEqual([...heartbeats].toSorted());
  });

  it.each(rows)('gives the reason of $constant', ({ reason }) => {
    expect(reason).toMatch(/^[A-Z].{10,}\.$/);
  });
});
