import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsoleFiles } from '../../../api/console/files.ts';
import { createReadConsole } from '../../../bin/console-bundle.ts';

const kB = 1000;
/** A reader loads the words of one language, and of English none: those of the first view, and those of the other pages. */
const isCatalogue = (name: string): boolean => /^(?:de|es|pt|nl)-/.test(name);
const isOfPages = (name: string): boolean => /^(?:de|es|pt|nl)\.pages-/.test(name);
/** The library of charts, which the first chart loads. */
const isCharts = (name: string): boolean => name.startsWith('uPlot');

describe('the console in the browser', () => {
  let made: ConsoleFiles;
  beforeAll(async () => {
    const warned: unknown[] = [];
    const read = createReadConsole({ nodeEnv: 'test' }, { warn: (...said: unknown[]) => void warned.push(said) });
    const files = await read();
    if (!files) throw new Error(`the console was not bundled: ${JSON.stringify(warned)}`);
    made = files;
  });

  const sizeOf = (names: readonly string[]): number =>
    names.reduce((sum, name) => sum + (made.files.get(name)?.gzip.length ?? Number.NaN), 0);

  test('is seen after 60 kB of script and 10 kB of style at most', () => {
    expect(sizeOf([made.script, ...made.needed])).toBeLessThanOrEqual(60 * kB);
    expect(sizeOf([made.style])).toBeLessThanOrEqual(10 * kB);
  });

  test('has at most 120 kB for the first view, in every language and with any page', () => {
    const all = [...made.files.keys()];
    const bySize = (names: readonly string[]): number[] =>
      names.map((name) => sizeOf([name])).toSorted((a, b) => b - a);
    // The inbox is the largest page, and needs the words of the first view alone.
    const [inbox = 0, other = 0] = bySize(all.filter((name) => name.startsWith('page-')));
    const [early = 0] = bySize(all.filter(isCatalogue));
    const [late = 0] = bySize(all.filter(isOfPages));
    expect([all.filter(isCatalogue), all.filter(isOfPages)].map(({ length }) => length)).toEqual([4, 4]);
    const shell = sizeOf([made.script, ...made.needed, made.style]) + early;
    expect(shell + inbox).toBeLessThanOrEqual(120 * kB);
    expect(shell + other + late).toBeLessThanOrEqual(120 * kB);
  });

  test('has 180 kB at most with all its pages, each of which is loaded when somebody goes there', () => {
    const all = [...made.files.keys()].filter((name) => ![isCatalogue, isOfPages, isCharts].some((is) => is(name)));
    expect(sizeOf(all)).toBeLessThanOrEqual(180 * kB);
    expect(all.filter((name) => name.startsWith('page-')).length).toBeGreaterThanOrEqual(3);
  });

  test('loads 25 kB for its charts, and not before the first of them', () => {
    const charts = [...made.files.keys()].filter(isCharts);
    expect(charts).toHaveLength(1);
    expect(sizeOf(charts)).toBeLessThanOrEqual(25 * kB);
    expect(made.needed).not.toEqual(expect.arrayContaining(charts));
  });
});
