import { describe, expect, test } from '@jest/globals';
import { firstOfEach, readAgain } from '../../console/parts/pages.ts';
import type { Page } from '../../console/parts/pages.ts';
import { windowOf } from '../../console/parts/window.ts';

interface Numbers extends Page {
  rows: number[];
}

/** A list of so many rows, in pages of ten; the cursor is where the next begins. */
const listOf =
  (count: number) =>
  (cursor: string | undefined): Promise<Numbers> => {
    const from = Number(cursor ?? 0);
    const end = Math.min(count, from + 10);
    const hasMore = end < count;
    return Promise.resolve({
      rows: Array.from({ length: end - from }, (_, n) => from + n),
      hasMore,
      nextCursor: hasMore ? `${end}` : null,
    });
  };

const sizes = (pages: readonly Numbers[]): number[] => pages.map((page) => page.rows.length);

describe('a list that changes while somebody reads it', () => {
  test('begins with its first page', async () => {
    expect(sizes(await readAgain([], listOf(25)))).toEqual([10]);
  });

  test('reads again as many pages as there were, so that nothing falls between two of them', async () => {
    const load = listOf(25);
    const before = [await load(undefined), await load('10')];
    const again = await readAgain(before, load);
    expect(again.flatMap((page) => page.rows)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test('ends where it has become shorter', async () => {
    const before = [await listOf(25)(undefined), await listOf(25)('10')];
    expect(sizes(await readAgain(before, listOf(3)))).toEqual([3]);
  });

  test('does not read hundreds of pages for one change', async () => {
    const load = listOf(1000);
    const before = await Promise.all(Array.from({ length: 50 }, (_, n) => load(`${n * 10}`)));
    let asked = 0;
    const again = await readAgain(before, (cursor) => {
      asked += 1;
      return load(cursor);
    });
    expect(asked).toBeLessThan(10);
    expect(again).toHaveLength(50);
  });

  test('shows each item once, as it was read last', () => {
    const rows = [
      { id: 'a', n: 2 },
      { id: 'b', n: 2 },
      { id: 'a', n: 1 },
    ];
    expect(firstOfEach(rows, (row) => row.id)).toEqual(rows.slice(0, 2));
  });
});

describe('ten thousand rows', () => {
  test('are in the document by dozens', () => {
    const { first, end, before, after } = windowOf(10_000, 76, 380_000, 760);
    expect(end - first).toBeLessThan(40);
    expect(before + (end - first) * 76 + after).toBe(760_000);
    expect(first).toBeLessThanOrEqual(5000);
    expect(end).toBeGreaterThanOrEqual(5010);
  });

  test('end where they end, also when the list has become shorter than it was scrolled', () => {
    expect(windowOf(10, 76, 0, 760)).toEqual({ first: 0, end: 10, before: 0, after: 0 });
    expect(windowOf(3, 76, 5000, 760)).toMatchObject({ first: 3, end: 3, after: 0 });
  });
});
