import { useEffect, useRef } from 'preact/hooks';
import type { StreamHint } from '../../typescript/src/index.ts';

type Listener = (hint: StreamHint) => void;
const listeners = new Set<Listener>();

/** Passes on that the team has changed something in a conversation. */
export const tellHint = (hint: StreamHint): void => {
  for (const listener of listeners) listener(hint);
};

/** Calls `heard` for each hint of this kind in the conversation while the component is shown. */
export const useHints = (conversationId: string, what: StreamHint['what'], heard: () => void): void => {
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(() => {
    const listener: Listener = (hint) => {
      if (hint.conversationId === conversationId && hint.what === what) latest.current();
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [conversationId, what]);
};
