/** A page of a list of the engine. */
export interface Page {
  hasMore: boolean;
  nextCursor: string | null;
}

/** As much of a list as was read of it. */
export interface Rows<T> extends Page {
  rows: readonly T[];
  /** Counts the pages of the read. */
  pages: number;
}

export interface Reading<T> {
  load: (cursor: string | undefined, limit?: number) => Promise<Page & { rows: readonly T[] }>;
  /** Identifies a row. */
  key: (row: T) => string;
  /** Reads so many of the first rows alone, where what is below them follows after them. */
  top?: number | undefined;
}

/** A change reads at most this number of pages again; later pages stay as they were. */
const AGAIN_AT_MOST = 8;

/** The list anew, as far down as it was read. */
export const readAgain = async <T>(before: Rows<T> | undefined, { load, key, top }: Reading<T>): Promise<Rows<T>> => {
  if (before && top !== undefined && before.rows.length > 0) {
    const joined = behind({ ...(await load(undefined, top)), pages: 1 }, before, key);
    if (joined) return joined;
  }
  const wanted = before?.rows.length ?? 0;
  let read: Rows<T> = { rows: [], pages: 0, hasMore: true, nextCursor: null };
  do read = further(read, await load(read.nextCursor ?? undefined), key);
  while (read.rows.length < wanted && read.pages < AGAIN_AT_MOST && read.hasMore && read.nextCursor !== null);
  return (before && wanted > read.rows.length ? behind(read, before, key) : undefined) ?? read;
};

/** The list with its next page; a page may begin with what has moved down meanwhile. */
export const further = <T>(
  { rows, pages }: Rows<T>,
  page: Page & { rows: readonly T[] },
  key: (row: T) => string,
): Rows<T> => ({
  rows: firstOfEach([...rows, ...page.rows], key),
  pages: pages + 1,
  hasMore: page.hasMore,
  nextCursor: page.nextCursor,
});

/**
 * The rows that were read now, and behind them those that followed before. Rows above the last of them that were not
 * read again are gone. Undefined where the last is new, so that nobody knows what follows. The same list where nothing
 * has changed, so that a page with 100,000 rows does not draw them anew.
 */
export const behind = <T>(read: Rows<T>, before: Rows<T>, key: (row: T) => string): Rows<T> | undefined => {
  if (!read.hasMore) return read;
  const last = read.rows.at(-1);
  const at = last === undefined ? -1 : before.rows.findIndex((row) => key(row) === key(last));
  if (at < 0) return undefined;
  const isSame = at === read.rows.length - 1 && read.rows.every((row, place) => isEqual(row, before.rows[place]));
  if (isSame) return before;
  // Both are without repeats, and the second may have 100,000 rows.
  const keys = new Set(read.rows.map(key));
  return { ...before, rows: [...read.rows, ...before.rows.slice(at + 1).filter((row) => !keys.has(key(row)))] };
};

/** Compares values that the engine has sent, which are JSON. */
const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Without those that have come again: the first of each counts, which was read last. */
export const firstOfEach = <T>(items: readonly T[], key: (item: T) => string): T[] => {
  const seen = new Set<string>();
  return items.filter((item) => {
    const isNew = !seen.has(key(item));
    seen.add(key(item));
    return isNew;
  });
};
