import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { Range, VirtualItem, VirtualizerOptions } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

type Options = VirtualizerOptions<HTMLDivElement, HTMLElement>;

export type GivenRows = Pick<Options, 'count' | 'estimateSize'> &
  Partial<Omit<Options, 'getItemKey'>> & {
    /** The same function as long as the rows are the same: another one has all rows laid out again. */
    getItemKey: (index: number) => string;
    /** The element of a row that takes the focus. */
    target: (row: Element) => HTMLElement | null;
  };

export interface Rows<Lines extends HTMLElement> {
  box: RefObject<HTMLDivElement | null>;
  lines: RefObject<Lines | null>;
  rows: readonly VirtualItem[];
  virtualizer: Virtualizer<HTMLDivElement, HTMLElement>;
  /** The index of the row that contains an element. */
  indexOf: (element: Element | null) => number | undefined;
  /** Scrolls to a row and gives it the focus. */
  focusAt: (index: number, align?: 'auto' | 'center') => void;
  /** The row to which a key leads from the one with the focus; without one, from those in sight. */
  leads: (key: string, from: number | undefined) => number | undefined;
}

const ROW = '[data-index]';
const OVERSCAN = 6;

/**
 * The rows of a list of any length. The document has those in sight, and the one with the focus, so that scrolling loses
 * no place. Each row needs its `data-index` and its `data-key`.
 */
export const useRows = <Lines extends HTMLElement>({ target, ...given }: GivenRows): Rows<Lines> => {
  const { count } = given;
  const box = useRef<HTMLDivElement>(null);
  const lines = useRef<Lines>(null);
  const latest = useRef(given);
  latest.current = given;
  const wanted = useRef<number | undefined>(undefined);
  const [, draw] = useReducer((draws: number) => draws + 1, 0);

  /** Rows that were added above are not drawn yet, so the row may have another index by now. */
  const indexOf = (element: Element | null): number | undefined => {
    const row = lines.current?.contains(element) ? element?.closest(ROW) : null;
    if (!row) return undefined;
    const [drawn, key] = [Number(row.getAttribute('data-index')), row.getAttribute('data-key')];
    const { count: all, getItemKey } = latest.current;
    if (drawn < all && getItemKey(drawn) === key) return drawn;
    for (let index = 0; index < all; index += 1) if (getItemKey(index) === key) return index;
    return undefined;
  };
  const extract = ({ startIndex, endIndex, overscan, count: all }: Range): number[] => {
    const first = Math.max(0, startIndex - overscan);
    const last = Math.min(all - 1, endIndex + overscan);
    const near = Array.from({ length: last - first + 1 }, (_, place) => first + place);
    const focused = indexOf(document.activeElement);
    if (focused === undefined || (focused >= first && focused <= last)) return near;
    return focused < first ? [focused, ...near] : [...near, focused];
  };
  const [rangeExtractor] = useState(() => extract);

  const options: Options = {
    overscan: OVERSCAN,
    ...given,
    rangeExtractor,
    getScrollElement: () => box.current,
    observeElementOffset,
    observeElementRect,
    // A box that is not yet as high as its rows would stop the scroll too early.
    scrollToFn: (offset, how, instance) => {
      if (lines.current) lines.current.style.height = `${instance.getTotalSize()}px`;
      elementScroll(offset, how, instance);
    },
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());

  const focusWanted = (): void => {
    const row = wanted.current === undefined ? null : lines.current?.querySelector(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    target(row)?.focus({ preventScroll: true });
  };
  useLayoutEffect(focusWanted);

  return {
    box,
    lines,
    rows: virtualizer.getVirtualItems(),
    virtualizer,
    indexOf,
    focusAt: (index, align = 'auto') => {
      wanted.current = index;
      virtualizer.scrollToIndex(index, { align });
      focusWanted();
    },
    leads: (key, from) => {
      const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
      const page = Math.max(1, endIndex - startIndex);
      const places: Readonly<Record<string, number | undefined>> = {
        ArrowUp: from === undefined ? endIndex : from - 1,
        ArrowDown: from === undefined ? startIndex : from + 1,
        PageUp: from === undefined ? undefined : from - page,
        PageDown: from === undefined ? undefined : from + page,
        Home: 0,
        End: count - 1,
      };
      const to = places[key];
      return to === undefined || count === 0 ? undefined : Math.max(0, Math.min(to, count - 1));
    },
  };
};
