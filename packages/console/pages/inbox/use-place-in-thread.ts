import { useEffect, useRef } from 'preact/hooks';
import { setQuery } from '../../shell/location.ts';
import { newerThan } from './newer.ts';
import { useKeptAtEnd } from './use-kept-at-end.ts';
import { useRoving } from './use-roving.ts';

interface Shown {
  /** The loaded messages, newest first. */
  ids: readonly string[];
  /** The message at which the address opens the thread. */
  at: string | undefined;
}

/** The place of the reader in a thread: at its end, at a message that was found, or anywhere above. */
export const usePlaceInThread = ({ ids, at }: Shown) => {
  const { box, lines, scrolled, isAtEnd, toEnd, leaveEnd } = useKeptAtEnd();
  const pressed = useRoving(box, lines);
  const [newest] = ids;
  const seen = useRef(newest);
  if (isAtEnd && at === undefined) seen.current = newest;
  seen.current ??= newest;
  const shown = useRef<string | undefined>(undefined);
  const isLoaded = at !== undefined && ids.includes(at);
  useEffect(() => {
    if (at === undefined) shown.current = undefined;
    if (!isLoaded || shown.current === at) return;
    shown.current = at;
    leaveEnd();
    const message = document.getElementById(`m-${at}`);
    message?.scrollIntoView({ block: 'center' });
    message?.focus({ preventScroll: true });
  }, [at, isLoaded]);
  const toNewest = (): void => {
    if (at !== undefined) setQuery({ at: undefined });
    toEnd();
  };
  return { box, lines, scrolled, pressed, toNewest, count: isAtEnd ? 0 : newerThan(ids, seen.current) };
};
