import { signal } from '@preact/signals';
import { QueryClient, QueryObserver } from '@tanstack/query-core';
import type { QueryObserverOptions } from '@tanstack/query-core';

/** The loaded data of this page. A query without a reader stays as long as its `gcTime`. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The engine's client retries.
      retry: false,
      // A browser that calls itself offline may still reach an engine on the same machine.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      // It would compare 100,000 messages in depth after each event.
      structuralSharing: false,
    },
  },
});

/** The first part of a shared query's key. Another tenant has other data. */
export const keyOf = (name: string, place: object): string => JSON.stringify([name, place]);

/** The loaded data of a shared query, once for each of its deps. */
export const knownOf = <T>(name: string, place: object): T[] =>
  queries
    .getQueriesData<T>({ queryKey: [keyOf(name, place)] })
    .flatMap(([, data]) => (data === undefined ? [] : [data]));

/** Counts the logins of somebody else. It is part of each key: an observer keeps the data of its last query. */
export const forgettings = signal(0);

/** Forgets everything, when somebody else logs in. */
export const forgetKnown = (): void => {
  queries.clear();
  forgettings.value += 1;
};

/** A reader of a query. Equal queries of several readers load once. */
export const readerOf = <T>(options: QueryObserverOptions<T>): QueryObserver<T> =>
  new QueryObserver<T>(queries, options);

/** Loads again. The library would join a first load that is under way, which knows nothing of the newest change. */
export const loadAnew = async <T>(observer: QueryObserver<T>): Promise<void> => {
  const query = observer.getCurrentQuery();
  if (query.state.data === undefined) void query.cancel({ silent: true });
  await observer.refetch();
};

/** Says whether a list must be read whole, which it must until one whole reading has come to its end. */
interface Wholeness {
  want: () => void;
  /** Runs a load, and tells it whether it only follows a whole reading. */
  run: <T>(load: (signal: AbortSignal, isAgain: boolean) => Promise<T>, signal: AbortSignal) => Promise<T>;
}

export const createWholeness = (): Wholeness => {
  let wanted = 1;
  let done = 0;
  return {
    want: () => {
      wanted += 1;
    },
    run: async (load, signal) => {
      const aim = wanted;
      const data = await load(signal, done === aim);
      // An aborted reading is shown to nobody.
      if (!signal.aborted) done = aim;
      return data;
    },
  };
};
