import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { windowOf } from './window.ts';

export interface WindowListProps<T> {
  items: readonly T[];
  itemKey: (item: T) => string;
  /** The height of each row, in pixels. */
  height: number;
  row: (item: T) => ComponentChildren;
  label: string;
  /** Called when the end comes into sight. */
  onEnd?: (() => void) | undefined;
}

/** A list of any length, of which only the rows that are seen are in the document. */
export const WindowList = <T,>({ items, itemKey, height, row, label, onEnd }: WindowListProps<T>) => {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ scrolled: 0, seen: 800 });
  const look = (): void => {
    const { current } = box;
    if (current) setView({ scrolled: current.scrollTop, seen: current.clientHeight });
  };
  useEffect(() => {
    const watch = new ResizeObserver(look);
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  const { first, end, before, after } = windowOf(items.length, height, view.scrolled, view.seen);
  useEffect(() => {
    if (end >= items.length) onEnd?.();
  }, [end, items.length]);
  /** Up and down move between the rows; what is scrolled away is brought in by the focus itself. */
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const steps = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    const li = event.target instanceof Element ? event.target.closest('li') : null;
    if (steps === undefined || !li) return;
    const next = steps > 0 ? li.nextElementSibling : li.previousElementSibling;
    const target = next?.querySelector<HTMLElement>('a, button');
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
  return (
    <div ref={box} class="window-list" onScroll={look} onKeyDown={move}>
      <ul aria-label={label} style={{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}>
        {items.slice(first, end).map((item, place) => (
          <li
            key={itemKey(item)}
            aria-setsize={items.length}
            aria-posinset={first + place + 1}
            style={{ height: `${height}px` }}
          >
            {row(item)}
          </li>
        ))}
      </ul>
    </div>
  );
};
