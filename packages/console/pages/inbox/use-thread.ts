import type { TargetedKeyboardEvent } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Message } from '../../../typescript/src/index.ts';
import { useRows } from '../../parts/use-rows.ts';
import { setQuery } from '../../shell/location.ts';
import { newerThan } from './newer.ts';
import { keyOf } from './thread.ts';
import type { Entry } from './thread.ts';

/** Within this distance of its end, the thread follows new messages. */
const NEAR_END_PX = 120;
/** With fewer lines above those in sight, earlier messages are loaded. */
const NEAR_START = 10;
/** More new messages than these are not counted. */
const MAX_NEW = 1_000;
/** The same as `--s3` in the style. */
const PADDING_PX = 12;

const CONTROLS = 'a[href], button, summary, audio, video';
/** They take the arrows themselves. */
const OWN_ARROWS = 'dialog, [role="menu"], input, textarea, select, audio, video';

const controlsOf = (item: Element): HTMLElement[] =>
  [...item.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.closest('dialog') === null);

/** A row may begin with the name of a day. Its last child is the message, which gets the focus by the arrow keys alone. */
const lineOf = (row: Element): HTMLElement | null => {
  const line = row.lastElementChild;
  if (!(line instanceof HTMLElement)) return null;
  line.tabIndex = -1;
  return line;
};

/** Nothing within the thread is a Tab stop of its own. A dialog that a message opens keeps its stops. */
const leaveOut = (lines: Element): void => {
  for (const row of lines.children) {
    lineOf(row);
    for (const control of controlsOf(row)) control.tabIndex = -1;
  }
};

/** The height of a line that was never drawn, in pixels. */
const guess = (entry: Entry | undefined): number => {
  if (entry === undefined || 'at' in entry) return 28;
  return 40 + Math.floor(entry.body.length / 60) * 20 + (entry.hasMedia ? 200 : 0);
};

interface Shown {
  entries: readonly Entry[];
  /** The loaded messages, newest first. */
  messages: readonly Message[];
  /** The message at which the address opens the thread. */
  at: string | undefined;
  /** Loads earlier messages; undefined if there are none. */
  more: (() => void) | undefined;
}

/**
 * The lines of a thread that are in the document, and the place of its reader: at the end, at a message that was found,
 * or anywhere above. The thread is one Tab stop. Up and down move between its lines, left and right between the
 * controls of one, and Escape leads back to the thread.
 */
export const useThread = ({ entries, messages, at, more }: Shown) => {
  const atEnd = useRef(at === undefined);
  const keys = useMemo(() => entries.map(keyOf), [entries]);
  const { box, lines, rows, virtualizer, indexOf, focusAt, leads } = useRows<HTMLDivElement>({
    count: entries.length,
    estimateSize: useCallback((index: number) => guess(entries[index]), [entries]),
    getItemKey: useCallback((index: number) => keys[index] ?? '', [keys]),
    target: lineOf,
    anchorTo: 'end',
    followOnAppend: at === undefined,
    scrollEndThreshold: NEAR_END_PX,
    paddingStart: PADDING_PX,
    paddingEnd: PADDING_PX,
  });
  const toEnd = (): void => {
    atEnd.current = true;
    virtualizer.scrollToEnd();
  };
  const lead = (messageId: string): void => {
    const index = keys.indexOf(messageId);
    if (index < 0) return;
    atEnd.current = false;
    focusAt(index, 'center');
  };

  useEffect(() => {
    // A composer of more lines must not cover the newest message.
    const sizes = new ResizeObserver(() => {
      if (atEnd.current) virtualizer.scrollToEnd();
    });
    const added = new MutationObserver(() => lines.current && leaveOut(lines.current));
    if (box.current) sizes.observe(box.current);
    if (lines.current) added.observe(lines.current, { childList: true, subtree: true });
    if (lines.current) leaveOut(lines.current);
    return () => {
      sizes.disconnect();
      added.disconnect();
    };
  }, []);

  const isThere = at === undefined ? entries.length > 0 : messages.some(({ messageId }) => messageId === at);
  useLayoutEffect(() => {
    if (!isThere) return;
    if (at === undefined) toEnd();
    else lead(at);
    // Browsers report a scroll one frame later, and the thread would begin with a frame of other lines.
    box.current?.dispatchEvent(new Event('scroll'));
  }, [at, isThere]);

  useEffect(() => {
    if (entries.length > 0 && (virtualizer.range?.startIndex ?? NEAR_START) < NEAR_START) more?.();
  });

  const newest = messages[0]?.messageId;
  const seen = useRef(newest);
  if (atEnd.current && at === undefined) seen.current = newest;
  seen.current ??= newest;
  const count = (): number =>
    newerThan(
      messages.slice(0, MAX_NEW).map(({ messageId }) => messageId),
      seen.current,
    );

  const pressed = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const { target, key } = event;
    if (!(target instanceof Element) || target.closest(OWN_ARROWS) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    // Shift and an arrow select text.
    if (event.shiftKey) return;
    const from = indexOf(target);
    const row = from === undefined ? null : target.closest('.entry');
    const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : undefined;
    if (step !== undefined || key === 'Escape') {
      if (!row) return;
      const controls = controlsOf(row).filter((control) => control.checkVisibility());
      const place = controls.findIndex((control) => control === target);
      const next = place < 0 ? controls.at(step === 1 ? 0 : -1) : (controls[place + (step ?? 0)] ?? controls[place]);
      const to = step === undefined ? box.current : next;
      if (!to) return;
      event.preventDefault();
      return to.focus();
    }
    const to = leads(key, from);
    if (to === undefined) return;
    event.preventDefault();
    focusAt(to);
  };

  return {
    box,
    lines,
    rows,
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    pressed,
    scrolled: () => {
      if (!box.current) return;
      const { scrollHeight, scrollTop, clientHeight } = box.current;
      atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    },
    toNewest: () => {
      if (at !== undefined) setQuery({ at: undefined });
      toEnd();
    },
    lead,
    count: atEnd.current ? 0 : count(),
  };
};
