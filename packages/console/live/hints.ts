import { useEffect, useRef } from 'preact/hooks';

type Listener = (conversationId: string) => void;
const listeners = new Set<Listener>();

/** Passes on that the team has changed something in a conversation. */
export const tellHint = (conversationId: string): void => {
  for (const listener of listeners) listener(conversationId);
};

/** Calls `heard` for each hint of the conversation while the component is shown. */
export const useHints = (conversationId: string, heard: () => void): void => {
  const latest = useRef(heard);
  latest.current = heard;
  useEffect(() => {
    const listener: Listener = (id) => {
      if (id === conversationId) latest.current();
    };
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [conversationId]);
};
