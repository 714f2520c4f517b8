import { describe, expect, test } from '@jest/globals';
import { firstOfEach, further, readAgain } from '../../../packages/console/parts/pages.ts';
import type { Rows } from '../../../packages/console/parts/pages.ts';

/** A list of so many rows, in pages of ten; the cursor is where the next begins. */
const listOf =
  (rows: readonly number[]) =>
  (cursor: string | undefined, limit = 10) => {
    const from = Number(cursor ?? 0);
    const end = Math.min(rows.length, from + limit);
    const hasMore = end < rows.length;
    return Promise.resolve({ rows: rows.slice(from, end), hasMore, nextCursor: hasMore ? `${end}` : null });
  };
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);
const key = String;

/** The list as far as so many pages of it go. */
const readOf = async (rows: readonly number[], pages: number): Promise<Rows<number>> => {
  const load = listOf(rows);
  let read = await readAgain(undefined, { load, key });
  while (read.pages < pages) read = further(read, await load(read.nextCursor ?? undefined), key);
  return read;
};

describe('a list that changes while somebody reads it', () => {
  test('begins with its first page, and goes on page by page', async () => {
    expect((await readOf(upTo(25), 1)).rows).toEqual(upTo(10));
    expect(await readOf(upTo(25), 3)).toMatchObject({ rows: upTo(25), pages: 3, hasMore: false });
  });

  test('reads again as many pages as there were, so that nothing falls between two of them', async () => {
    const before = await readOf(upTo(25), 2);
    expect((await readAgain(before, { load: listOf(upTo(25)), key })).rows).toEqual(upTo(20));
  });

  test('ends where it has become shorter', async () => {
    const before = await readOf(upTo(25), 2);
    expect(await readAgain(before, { load: listOf(upTo(3)), key })).toMatchObject({ rows: upTo(3), hasMore: false });
  });

  test('does not read hundreds of pages for one change', async () => {
    const before = await readOf(upTo(1000), 50);
    let asked = 0;
    const load = (cursor: string | undefined, limit?: number) => {
      asked += 1;
      return listOf(upTo(1000))(cursor, limit);
    };
    expect((await readAgain(before, { load, key })).rows).toEqual(upTo(500));
    expect(asked).toBeLessThan(10);
  });

  test('reads only its beginning where only that has changed, and shows each row once', async () => {
    const before = await readOf(upTo(1000), 50);
    const asked: unknown[] = [];
    const now = [700, ...upTo(1000).filter((n) => n !== 700)];
    const load = (cursor: string | undefined, limit?: number) => {
      asked.push(limit);
      return listOf(now)(cursor, limit);
    };
    const after = await readAgain(before, { load, key, top: 5 });
    expect(asked).toEqual([5]);
    expect(after.rows).toEqual([700, ...upTo(500)]);
    expect(after).toMatchObject({ hasMore: true, nextCursor: before.nextCursor });
  });

  test('loses what has left its beginning', async () => {
    const before = await readOf(upTo(1000), 2);
    const now = upTo(1000).filter((n) => n !== 2);
    const after = await readAgain(before, { load: listOf(now), key, top: 5 });
    expect(after.rows).toEqual(upTo(20).filter((n) => n !== 2));
  });

  test('is read as far as it was where more is new than its beginning has', async () => {
    const before = await readOf(upTo(100), 2);
    const now = [...Array.from({ length: 8 }, (_, n) => 900 + n), ...upTo(100)];
    const after = await readAgain(before, { load: listOf(now), key, top: 5 });
    expect(after.rows).toEqual(now.slice(0, 20));
  });

  test('stays the same list where nothing has changed', async () => {
    const before = await readOf(upTo(100), 5);
    expect(await readAgain(before, { load: listOf(upTo(100)), key, top: 5 })).toBe(before);
  });

  test('keeps the rows of larger pages below those that are read again', async () => {
    const first = await readOf(upTo(3_000), 1);
    const before = further(first, await listOf(upTo(3_000))('10', 1_000), key);
    const after = await readAgain(before, { load: listOf(upTo(3_000)), key });
    expect(after.rows).toEqual(upTo(1_010));
    expect(after.nextCursor).toBe('1010');
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
