/** A page of a list of the engine. */
export interface Page {
  hasMore: boolean;
  nextCursor: string | null;
}

/** So many pages are read again after a change; what is further down stays as it was read. */
const AGAIN_AT_MOST = 8;

/** The first pages anew, as many as there were, and behind them what was not read again. */
export const readAgain = async <P extends Page>(
  before: readonly P[],
  load: (cursor: string | undefined) => Promise<P>,
): Promise<readonly P[]> => {
  const wanted = Math.max(1, Math.min(before.length, AGAIN_AT_MOST));
  const pages: P[] = [];
  let cursor: string | undefined;
  while (pages.length < wanted) {
    const page = await load(cursor);
    pages.push(page);
    if (!page.hasMore || page.nextCursor === null) return pages;
    cursor = page.nextCursor;
  }
  return [...pages, ...before.slice(wanted)];
};

/** Without those that have come again: the first of each counts, which was read last. */
export const firstOfEach = <T>(items: readonly T[], key: (item: T) => string): T[] => {
  const seen = new Set<string>();
  return items.filter((item) => {
    const isNew = !seen.has(key(item));
    seen.add(key(item));
    return isNew;
  });
};
