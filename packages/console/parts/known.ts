import { QueryClient } from '@tanstack/query-core';

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

/** Forgets everything, when somebody else logs in. */
export const forgetKnown = (): void => queries.clear();
