import { useEffect, useRef, useState } from 'preact/hooks';

/** Within this distance of its end, the thread follows new messages. */
const NEAR_END_PX = 120;

/** Keeps a thread at its end while it grows there: by a message, a picture that has come, a composer of more lines. */
export const useKeptAtEnd = () => {
  const box = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const note = (is: boolean): void => {
    atEnd.current = is;
    setAtEnd(is);
  };
  useEffect(() => {
    const watch = new ResizeObserver(() => {
      if (atEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight;
    });
    for (const { current } of [box, lines]) if (current) watch.observe(current);
    return () => watch.disconnect();
  }, []);
  const scrolled = (): void => {
    if (!box.current) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    note(scrollHeight - scrollTop - clientHeight < NEAR_END_PX);
  };
  const toEnd = (): void => {
    note(true);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  /** Stays where a message is, also while pictures above it arrive. */
  const leaveEnd = (): void => note(false);
  return { box, lines, scrolled, isAtEnd, toEnd, leaveEnd };
};
