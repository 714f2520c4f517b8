import type { QueryObserverOptions } from '@tanstack/query-core';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { StreamedEvent } from '../../typescript/src/index.ts';
import { coalesce } from '../live/coalesce.ts';
import type { Pace } from '../live/coalesce.ts';
import { paused, restarts } from '../live/live.ts';
import { BESIDE_PACE, SEEN_PACE, slownessNow } from '../live/spare.ts';
import { useLive } from '../live/use-live.ts';
import { engine, place } from '../shell/engine.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { createWholeness, forgettings, keyOf, loadAnew, queries, readerOf } from './known.ts';

export interface Loads<T> {
  /**
   * Components with the same name and deps share one request. Its data stays for some minutes after the last of them is
   * gone, and the next one shows it at once. A form must have no name: it would begin with old values.
   */
  name?: string | undefined;
  /** `isAgain` is true where something else than `reload` follows a whole load. The result must not be undefined. */
  load: (signal: AbortSignal, isAgain: boolean) => Promise<T>;
  /** The subject: another value loads anew and hides the old data. */
  deps?: readonly unknown[] | undefined;
  /** With other deps the old is shown until the new is there: for filters. */
  keep?: boolean | undefined;
  /** The events after which it is loaded again. */
  on?: readonly string[] | undefined;
  when?: ((event: StreamedEvent) => boolean) | undefined;
  /** For what no event tells: again after so many milliseconds, and later while the key's limits leave little. */
  every?: number | undefined;
  /** The same while the tab is hidden, when no event arrives. Without it, a hidden tab loads nothing. */
  everyHidden?: number | undefined;
  /** True for what stands beside what people look at: after events it lets that go first. */
  isBeside?: boolean | undefined;
  /** The pace after events; `isBeside` chooses one of two. */
  pace?: Pace | undefined;
}

export interface Loading<T> {
  data: T | undefined;
  problem: Failure | null;
  loading: boolean;
  reload: () => void;
  /** Something may have changed, as after an event. */
  hint: () => void;
  /** Shows this, such as the answer of a change, until it is loaded again. */
  set: (data: T) => void;
  /** The data at this moment, which may be newer than the one that is drawn. */
  now: () => T | undefined;
}

const KEPT_MS = 5 * 60_000;
let components = 0;
const ownName = (): string => {
  components += 1;
  return `own ${components}`;
};

/** Something of the engine that is loaded, and again when events say that it has changed. */
export const useLoad = <T>({
  name,
  load,
  deps = [],
  keep = false,
  on = [],
  when,
  every,
  everyHidden,
  isBeside = false,
  pace = isBeside ? BESIDE_PACE : SEEN_PACE,
}: Loads<T>): Loading<T> => {
  const client = engine.value;
  const began = on.length > 0 ? restarts.value : 0;
  const isPaused = paused.value;
  const [own] = useState(ownName);
  const about = name === undefined ? own : keyOf(name, place.value);
  const of = JSON.stringify(deps);
  const era = forgettings.value;
  const latest = useRef({ load, client, began });
  latest.current = { load, client, began };
  /** The moment of the last load that began here. */
  const begun = useRef({ client, began });
  const [whole] = useState(createWholeness);
  const options = useMemo<QueryObserverOptions<T>>(
    () => ({
      queryKey: [about, of, era],
      queryFn: ({ signal }) => {
        begun.current = latest.current;
        return whole.run(latest.current.load, signal);
      },
      placeholderData: (before, query) =>
        keep && query?.queryKey[0] === about && query.queryKey[2] === era ? before : undefined,
      gcTime: name === undefined ? 0 : KEPT_MS,
      refetchInterval: () => {
        const ms = document.hidden ? (everyHidden ?? every) : every;
        return ms === undefined || isPaused ? false : ms * slownessNow();
      },
      refetchIntervalInBackground: everyHidden !== undefined,
    }),
    [about, of, era, keep, every, everyHidden, isPaused],
  );
  const [observer] = useState(() => readerOf<T>(options));
  const [, draw] = useReducer((draws: number) => draws + 1, 0);
  const result = observer.getOptimisticResult({
    ...queries.defaultQueryOptions(options),
    _optimisticResults: 'optimistic',
  });
  // The kept data of another subject may be minutes old, also far below its first rows.
  useLayoutEffect(() => whole.want(), [about, of, era]);
  useLayoutEffect(() => observer.setOptions(options), [options]);
  useLayoutEffect(() => observer.subscribe(() => draw(undefined)), []);

  const reload = (): void => {
    whole.want();
    void loadAnew(observer);
  };
  const isMounted = useRef(false);
  useEffect(() => {
    // Another place is another subject of a shared load, which has then begun anew already.
    const isOld = begun.current.client !== client || begun.current.began !== began;
    if (isMounted.current && isOld) reload();
    isMounted.current = true;
  }, [client, began]);
  const hints = useMemo(() => coalesce(() => loadAnew(observer), pace), [pace]);
  useEffect(() => () => hints.stop(), []);
  useLive(on, (event) => {
    if (!when || when(event)) hints.hint();
  });

  const problem = result.error === null ? null : toFailure(result.error);
  return {
    // Erased data must not stay in sight because the page has seen it before.
    data: problem?.code === 'not_found' ? undefined : result.data,
    problem,
    loading: result.isFetching,
    reload,
    hint: hints.hint,
    set: (data) => void queries.setQueryData<T>(options.queryKey, () => data),
    now: () => queries.getQueryData<T>(options.queryKey),
  };
};
