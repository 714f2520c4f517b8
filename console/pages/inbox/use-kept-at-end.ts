import { useEffect, useRef } from 'preact/hooks';

/** Within this distance of its end, the thread follows new messages. */
const NEAR_END_PX = 120;

/** Keeps a thread at its end while it grows there: by a message, a picture that has come, a composer of more lines. */
export const useKeptAtEnd = () => {
  const box = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
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
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  };
  return { box, lines, scrolled };
};
