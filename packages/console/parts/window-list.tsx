import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import { useRows } from './use-rows.ts';

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

const controlOf = (row: Element): HTMLElement | null => row.querySelector<HTMLElement>('a, button');

/** A list of any length, of which only the rows that are seen are in the document. */
export const WindowList = <T,>({ items, itemKey, height, row, label, onEnd }: WindowListProps<T>) => {
  const { box, lines, rows, virtualizer, indexOf, focusAt, leads } = useRows<HTMLUListElement>({
    count: items.length,
    estimateSize: () => height,
    getItemKey: useCallback(
      (index: number) => {
        const item = items[index];
        return item === undefined ? '' : itemKey(item);
      },
      [items],
    ),
    target: controlOf,
  });
  const end = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (end >= items.length - 1) onEnd?.();
  }, [end, items.length]);
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const from = event.target instanceof Element ? indexOf(event.target) : undefined;
    const to = from === undefined ? undefined : leads(event.key, from);
    if (to === undefined) return;
    event.preventDefault();
    focusAt(to);
  };
  return (
    <div ref={box} class="window-list" onKeyDown={move}>
      <ul ref={lines} aria-label={label} style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {rows.map(({ index, key, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <li
                key={key}
                data-index={index}
                data-key={key}
                aria-setsize={items.length}
                aria-posinset={index + 1}
                style={{ top: `${start}px`, height: `${height}px` }}
              >
                {row(item)}
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
};
