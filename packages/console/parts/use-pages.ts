import { useRef, useState } from 'preact/hooks';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { behind, further, readAgain } from './pages.ts';
import type { Page, Rows } from './pages.ts';
import { useLoad } from './use-load.ts';
import type { Loading, Loads } from './use-load.ts';

/** A list whose end changes with each reading gets no further page; the next click tries again. */
const ATTEMPTS = 3;
/** The engine returns no more rows at once. */
const MAX_ROWS = 1_000;

export interface PagedLoads<P extends Page, T> extends Omit<Loads<Rows<T>>, 'load'> {
  /** A page; `limit` is how many rows are wanted where that is not as many as ever. */
  load: (cursor: string | undefined, signal: AbortSignal, limit?: number) => Promise<P>;
  items: (page: P) => readonly T[];
  /** Identifies an item: a page may begin with items that have moved down meanwhile. */
  key: (item: T) => string;
  /** If events change only the start of the list: the number of rows to read again after one. */
  top?: number | undefined;
  /** The rows of the first page. Each further page has twice as many, so a long list ends after a few. */
  first?: number | undefined;
}

export interface Paged<T> {
  items: readonly T[] | undefined;
  problem: Failure | null;
  loading: boolean;
  hasMore: boolean;
  more: () => void;
  reload: () => void;
  /** Something may have changed, as after an event. */
  hint: () => void;
}

/** A list by its cursors. When events change it, what was read is read again. */
export const usePages = <P extends Page, T>({ load, items, key, top, first, ...rest }: PagedLoads<P, T>): Paged<T> => {
  const of = JSON.stringify(rest.deps ?? []);
  const pageOf = async (cursor: string | undefined, signal: AbortSignal, limit?: number) => {
    const page = await load(cursor, signal, limit);
    return { rows: items(page), hasMore: page.hasMore, nextCursor: page.nextCursor };
  };
  const loaded: Loading<Rows<T>> = useLoad({
    ...rest,
    load: async (signal, isAgain) => {
      const before = loaded.now();
      const read = await readAgain(before, {
        load: (cursor, limit) => pageOf(cursor, signal, limit),
        key,
        top: isAgain ? top : undefined,
      });
      const now = loaded.now();
      // Somebody may have asked for a further page meanwhile, which stays.
      return now === undefined || now === before ? read : (behind(read, now, key) ?? read);
    },
  });
  const [next, setNext] = useState<{ of: string; loading: boolean; problem: Failure | null }>({
    of,
    loading: false,
    problem: null,
  });

  // A list that is read again may change its end meanwhile. The page is then asked for at the new end.
  const readFurther = async (): Promise<void> => {
    let before = loaded.now();
    for (let attempt = 0; attempt < ATTEMPTS && before?.hasMore && before.nextCursor !== null; attempt += 1) {
      const limit = first === undefined ? undefined : Math.min(MAX_ROWS, first * 2 ** before.pages);
      const page = await pageOf(before.nextCursor, new AbortController().signal, limit);
      const now = loaded.now();
      if (now?.nextCursor === before.nextCursor) return loaded.set(further(now, page, key));
      before = now;
    }
  };
  // A list calls again before its next page is drawn. Another list may be shown by then, which has a page of its own.
  const asked = useRef<string | null>(null);
  const settle = (problem: Failure | null): void => {
    if (asked.current !== of) return;
    asked.current = null;
    setNext({ of, loading: false, problem });
  };
  const more = (): void => {
    if (loaded.now() === undefined || asked.current === of) return;
    asked.current = of;
    setNext({ of, loading: true, problem: null });
    readFurther().then(
      () => settle(null),
      (error) => settle(toFailure(error)),
    );
  };
  const isNext = next.of === of;
  return {
    items: loaded.data?.rows,
    problem: (isNext ? next.problem : null) ?? loaded.problem,
    loading: loaded.loading || (isNext && next.loading),
    hasMore: loaded.data?.hasMore ?? false,
    more,
    reload: loaded.reload,
    hint: loaded.hint,
  };
};
