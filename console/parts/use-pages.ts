import { useRef, useState } from 'preact/hooks';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { firstOfEach, readAgain } from './pages.ts';
import type { Page } from './pages.ts';
import { useLoad } from './use-load.ts';
import type { Loads } from './use-load.ts';

export interface PagedLoads<P extends Page, T> extends Omit<Loads<readonly P[]>, 'load'> {
  load: (cursor: string | undefined, signal: AbortSignal) => Promise<P>;
  items: (page: P) => readonly T[];
  /** What tells one item from another: a page may begin with what has moved down meanwhile. */
  key: (item: T) => string;
}

export interface Paged<T> {
  items: readonly T[] | undefined;
  problem: Failure | null;
  loading: boolean;
  hasMore: boolean;
  more: () => void;
  reload: () => void;
}

/** A list by its cursors. When events change it, the pages that were read are read again. */
export const usePages = <P extends Page, T>({ load, items, key, ...rest }: PagedLoads<P, T>): Paged<T> => {
  const of = JSON.stringify(rest.deps ?? []);
  const held = useRef<{ of: string; pages: readonly P[] }>({ of, pages: [] });
  const loaded = useLoad<readonly P[]>({
    ...rest,
    load: (signal) => readAgain(held.current.of === of ? held.current.pages : [], (cursor) => load(cursor, signal)),
  });
  const [further, setFurther] = useState<{ of: string; loading: boolean; problem: Failure | null }>({
    of,
    loading: false,
    problem: null,
  });
  if (loaded.of === of) held.current = { of, pages: loaded.data ?? [] };

  const last = loaded.data?.at(-1);
  const more = (): void => {
    const pages = loaded.data;
    if (
      !pages ||
      !last?.hasMore ||
      last.nextCursor === null ||
      loaded.loading ||
      (further.loading && further.of === of)
    )
      return;
    setFurther({ of, loading: true, problem: null });
    load(last.nextCursor, new AbortController().signal).then(
      (page) => {
        setFurther({ of, loading: false, problem: null });
        // What has been read again meanwhile counts, and asks for more by itself.
        if (held.current.of === of && held.current.pages === pages) loaded.set([...pages, page]);
      },
      (error) => setFurther({ of, loading: false, problem: toFailure(error) }),
    );
  };
  const isFurther = further.of === of;
  return {
    items:
      loaded.data &&
      firstOfEach(
        loaded.data.flatMap((page) => [...items(page)]),
        key,
      ),
    problem: (isFurther ? further.problem : null) ?? loaded.problem,
    loading: loaded.loading || (isFurther && further.loading),
    hasMore: last?.hasMore ?? false,
    more,
    reload: loaded.reload,
  };
};
