/** A list: awaited it is its first page, iterated it is every row, page after page. */
export type Listed<P, T> = Promise<P> & AsyncIterable<T>;

/** A page is an object with the cursor of the next, or the rows alone where a header has it. */
export type Page = object;

interface Read<P> {
  page: P;
  nextInHeader: string | null;
}

/** Makes a list of how its pages are read. The first is read at once, the others when their rows are asked for. */
export function listed<P extends Page, T>(
  read: (cursor: string | undefined) => Promise<Read<P>>,
  rowsOf: (page: P) => readonly T[],
): Listed<P, T> {
  const first = read(undefined);
  const page = first.then((one) => one.page);
  async function* rows(): AsyncGenerator<T, void, undefined> {
    // An iterating caller receives the failure here, and never awaits the page itself.
    page.catch(() => undefined);
    let current = await first;
    for (;;) {
      yield* rowsOf(current.page);
      const next = nextOf(current);
      if (next === undefined) return;
      current = await read(next);
    }
  }
  return Object.assign(page, { [Symbol.asyncIterator]: rows });
}

function nextOf({ page, nextInHeader }: Read<Page>): string | undefined {
  const { hasMore, nextCursor }: { hasMore?: boolean; nextCursor?: string | null } = page;
  return (hasMore === false ? undefined : nextCursor) ?? nextInHeader ?? undefined;
}
