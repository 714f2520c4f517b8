import { useRef, useState } from 'preact/hooks';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { behind, further, readAgain } from './pages.ts';
import type { Page, Rows } from './pages.ts';
import { useLoad } from './use-load.ts';
import type { Loads } from './use-load.ts';

/** A list whose end changes with each reading gets no further page; the next click tries again. */
const ATTEMPTS = 3;

export interface PagedLoads<P extends Page, T> extends Omit<Loads<Rows<T>>, 'load'> {
  /** A page; `limit` is how many rows are wanted where that is not as many as ever. */
  load: (cursor: string | undefined, signal: AbortSignal, limit?: number) => Promise<P>;
  items: (page: P) => readonly T[];
  /** Identifies an item: a page may begin with items that have moved down meanwhile. */
  key: (item: T) => string;
  /** If events change only the start of the list: the number of rows to read again after one. */
  top?: number | undefined;
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
export const usePages = <P extends Page, T>({ load, items, key, top, ...rest }: PagedLoads<P, T>): Paged<T> => {
  const of = JSON.stringify(rest.deps ?? []);
  const held = useRef<{ of: string; rows: Rows<T> | undefined }>({ of, rows: undefined });
  const pageOf = async (cursor: string | undefined, signal: AbortSignal, limit?: number) => {
    const page = await load(cursor, signal, limit);
    return { rows: items(page), hasMore: page.hasMore, nextCursor: page.nextCursor };
  };
  const rowsNow = (): Rows<T> | undefined => (held.current.of === of ? held.current.rows : undefined);
  const loaded = useLoad<Rows<T>>({
    ...rest,
    load: async (signal, isAgain) => {
      const before = rowsNow();
      const read = await readAgain(before, {
        load: (cursor, limit) => pageOf(cursor, signal, limit),
        key,
        top: isAgain ? top : undefined,
      });
      const now = rowsNow();
      // Somebody may have asked for a further page meanwhile, which stays.
      return now === undefined || now === before ? read : (behind(read, now, key) ?? read);
    },
  });
  const [next, setNext] = useState<{ of: string; loading: boolean; problem: Failure | null }>({
    of,
    loading: false,
    problem: null,
  });
  if (loaded.of === of) held.current = { of, rows: loaded.data };

  const rows = loaded.data;
  // A list that is read again may change its end meanwhile. The page is then asked for at the new end.
  const readFurther = async (): Promise<void> => {
    let before = rowsNow();
    for (let attempt = 0; attempt < ATTEMPTS && before?.hasMore && before.nextCursor !== null; attempt += 1) {
      const page = await pageOf(before.nextCursor, new AbortController().signal);
      const now = rowsNow();
      if (now?.nextCursor === before.nextCursor) return loaded.set(further(now, page, key));
      before = now;
    }
  };
  // Another list may be shown by now, which has a page of its own on its way.
  const settle = (problem: Failure | null): void =>
    setNext((now) => (now.of === of ? { of, loading: false, problem } : now));
  const more = (): void => {
    if (rowsNow() === undefined || (next.loading && next.of === of)) return;
    setNext({ of, loading: true, problem: null });
    readFurther().then(
      () => settle(null),
      (error) => settle(toFailure(error)),
    );
  };
  const isNext = next.of === of;
  return {
    items: rows?.rows,
    problem: (isNext ? next.problem : null) ?? loaded.problem,
    loading: loaded.loading || (isNext && next.loading),
    hasMore: rows?.hasMore ?? false,
    more,
    reload: loaded.reload,
    hint: loaded.hint,
  };
};
