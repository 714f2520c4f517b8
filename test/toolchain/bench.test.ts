import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { agree } from '../../tools/bench/harness/agree.ts';
import { untilQuiet } from '../../tools/bench/quiet.ts';
import { PAGES, pageWithTables } from '../../tools/bench/tables/main.ts';
import { publishedRows, withResults } from '../../tools/bench/tables/published.ts';
import { ROOT } from './source-files.ts';

const rows = publishedRows();
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'bench-results-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe.each(PAGES)('the tables of %s', (page) => {
  it('are made from docs/bench-results.json by npm run bench-tables', () => {
    expect(read(page)).toBe(pageWithTables(page, read(page), rows));
  });

  it('differ once a figure that they show differs', () => {
    const doubled = rows.map((row) => ({
      ...row,
      measured: `2 × ${row.measured}`,
      ...(row.usage && { usage: { ...row.usage, cpuMs: { ...row.usage.cpuMs, worker: 1_000 } } }),
    }));
    expect(pageWithTables(page, read(page), doubled)).not.toBe(read(page));
  });
});

describe('a new reading', () => {
  const measured = {
    path: 'accept, p99',
    measured: '17 ms',
    baseline: 'bare insert 5 ms',
    ratio: 3.4,
    aim: '≤ 4',
    met: true,
    usage: { each: 'send', cpuMs: { api: 0.61, worker: 0, postgres: 0.82 }, statements: 0.34, commits: 0.2 },
    reading: { at: '2026-11-28T10:00:00.000Z', commit: 'abc1234', load: 4.25, anyway: true },
  };
  const file = join(directory, 'results.json');
  writeFileSync(file, JSON.stringify({ node: 'v24', results: [measured] }));
  const lines = ['docs/evaluate/performance.md', 'docs/reference/benchmarks.md'].flatMap((page) =>
    pageWithTables(page, read(page), withResults(rows, file)).split('\n'),
  );
  const [summary = '', everyRow = ''] = lines.filter((line) => /^\| (accept, p99|Accept, p99) /.test(line));

  it('shows its load, its commit, and that the machine may have been busy', () => {
    expect(everyRow).toContain('2026-11-28, abc1234, load 4.25, **`--anyway`**');
    expect(summary).toContain('17 ms (`--anyway`)');
  });

  it('shows the CPU of each kind of process and the statements of a unit', () => {
    expect(everyRow).toContain('send: API 0.6, PostgreSQL 0.8 ms of CPU; 0.3 statements; 0.2 commits');
  });

  it('keeps the reading before it', () => {
    const [former] = rows.filter(({ path }) => path === measured.path);
    expect(former?.ratio).not.toBeNull();
    expect(everyRow).toContain(`${former?.ratio?.toFixed(2)} ×`);
  });
});

describe('the bench', () => {
  it('refuses a busy machine and says how to measure all the same', async () => {
    await expect(untilQuiet({ below: 0, patienceMs: 0 })).rejects.toThrow(/load is [\d.]+ .* --anyway/);
    await expect(untilQuiet({ below: 0, patienceMs: 0, anyway: true })).resolves.toBeGreaterThanOrEqual(0);
  });

  it.each([
    { title: 'one window', windows: [[100, 1]], agreed: false },
    {
      title: 'a rate that still rises',
      windows: [
        [100, 1],
        [120, 1],
      ],
      agreed: false,
    },
    {
      title: 'a cost that still falls',
      windows: [
        [100, 1.2],
        [100, 1],
      ],
      agreed: false,
    },
    {
      title: 'the last two within a tenth',
      windows: [
        [50, 3],
        [100, 1.05],
        [108, 1],
      ],
      agreed: true,
    },
    {
      title: 'two that agreed before the last',
      windows: [
        [100, 1],
        [100, 1],
        [50, 1],
      ],
      agreed: false,
    },
  ])('warms up until two windows agree: $title', ({ windows, agreed }) => {
    expect(agree(windows.map(([perSecond = 0, cpuMs = 0]) => ({ perSecond, cpuMs })))).toBe(agreed);
  });
});
