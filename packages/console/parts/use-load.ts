import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { StreamedEvent } from '../../typescript/src/index.ts';
import { coalesce } from '../live/coalesce.ts';
import type { Pace } from '../live/coalesce.ts';
import { paused, restarts } from '../live/live.ts';
import { BESIDE_PACE, SEEN_PACE, slownessNow } from '../live/spare.ts';
import { useLive } from '../live/use-live.ts';
import { engine, place } from '../shell/engine.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { Known } from './known.ts';

export interface Loads<T> {
  /** `isAgain` says that something told of a change, and nobody asked. */
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
  /** The data of an earlier load, which is shown until the new one ends. */
  known?: Known<T> | undefined;
}

export interface Loading<T> {
  /** The deps of which this is. */
  of: string;
  data: T | undefined;
  problem: Failure | null;
  loading: boolean;
  reload: () => void;
  /** Something may have changed, as after an event. */
  hint: () => void;
  /** Shows this, such as the answer of a change, until it is loaded again. */
  set: (data: T) => void;
}

interface Loaded<T> {
  of: string;
  data: T | undefined;
  problem: Failure | null;
  loading: boolean;
}

/** The key of what is known, by the deps of which it is: another tenant has other data. */
export const knownAs = (of: string): string => JSON.stringify([place.peek(), of]);

/** Something of the engine that is loaded, and again when events say that it has changed. */
export const useLoad = <T>({
  load,
  deps = [],
  keep = false,
  on = [],
  when,
  every,
  everyHidden,
  isBeside = false,
  pace = isBeside ? BESIDE_PACE : SEEN_PACE,
  known,
}: Loads<T>): Loading<T> => {
  const client = engine.value;
  const began = on.length > 0 ? restarts.value : 0;
  const of = JSON.stringify(deps);
  const [loaded, setLoaded] = useState<Loaded<T>>(() => ({
    of,
    data: known?.get(knownAs(of)),
    problem: null,
    loading: true,
  }));
  const latest = useRef({ load, ending: new AbortController(), of });
  latest.current.load = load;
  latest.current.of = of;

  const run = useMemo(
    () => async (isAgain: boolean) => {
      const { current } = latest;
      const now = current.of;
      current.ending.abort();
      current.ending = new AbortController();
      const { signal } = current.ending;
      const key = knownAs(now);
      setLoaded((before) => ({ ...before, loading: true }));
      try {
        const data = await current.load(signal, isAgain);
        if (signal.aborted) return;
        known?.set(key, data);
        setLoaded({ of: now, data, problem: null, loading: false });
      } catch (error) {
        if (signal.aborted) return;
        const problem = toFailure(error);
        // Erased data must not stay in sight because the page has seen it before.
        const isGone = known !== undefined && problem.code === 'not_found';
        if (isGone) known.drop(key);
        setLoaded((before) => ({
          of: now,
          data: before.of === now && !isGone ? before.data : undefined,
          problem,
          loading: false,
        }));
      }
    },
    [],
  );
  const hints = useMemo(() => coalesce(() => run(true), pace), [run, pace]);

  useEffect(() => {
    void run(false);
  }, [client, began, of]);
  useEffect(
    () => () => {
      hints.stop();
      latest.current.ending.abort();
    },
    [],
  );
  useLive(on, (event) => {
    if (!when || when(event)) hints.hint();
  });
  useEffect(() => {
    if (every === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const ms = document.hidden ? (everyHidden ?? every) : every;
      timer = setTimeout(() => {
        if (!paused.value && (!document.hidden || everyHidden !== undefined)) hints.hint();
        wait();
      }, ms * slownessNow());
    };
    wait();
    return () => clearTimeout(timer);
  }, [every, everyHidden]);

  const isOld = loaded.of !== of && !keep;
  return {
    of: isOld ? of : loaded.of,
    data: isOld ? undefined : loaded.data,
    problem: isOld ? null : loaded.problem,
    loading: loaded.loading || loaded.of !== of,
    reload: () => void run(false),
    hint: hints.hint,
    set: (data) => {
      known?.set(knownAs(of), data);
      setLoaded({ of, data, problem: null, loading: false });
    },
  };
};
