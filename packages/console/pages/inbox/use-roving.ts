import type { RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect } from 'preact/hooks';

const CONTROLS = 'a[href], button, summary, audio, video';
/** They take the arrows themselves. */
const OWN_ARROWS = 'dialog, [role="menu"], input, textarea, select, audio, video';

const controlsOf = (item: Element): HTMLElement[] =>
  [...item.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) => control.closest('dialog') === null);

/** Nothing within the thread is a Tab stop of its own. A dialog that a message opens keeps its stops. */
const leaveOut = (lines: Element): void => {
  for (const item of lines.children) {
    if (item instanceof HTMLElement) item.tabIndex = -1;
    for (const control of controlsOf(item)) control.tabIndex = -1;
  }
};

const moved = <T>(items: readonly T[], from: T | undefined, step: number): T | undefined => {
  const at = from === undefined ? -1 : items.indexOf(from);
  if (at < 0) return items.at(step > 0 ? 0 : -1);
  return items[Math.max(0, Math.min(at + step, items.length - 1))];
};

/**
 * Makes the thread one Tab stop: the arrows up and down move between messages, left and right between the controls of
 * one, and Escape leads back to the thread.
 */
export const useRoving = (box: RefObject<HTMLElement | null>, lines: RefObject<HTMLElement | null>) => {
  useEffect(() => {
    const { current } = lines;
    if (!current) return undefined;
    leaveOut(current);
    const watch = new MutationObserver(() => leaveOut(current));
    watch.observe(current, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, []);
  return (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const { target, key } = event;
    if (!(target instanceof Element) || target.closest(OWN_ARROWS) || event.ctrlKey || event.metaKey || event.altKey)
      return;
    // Shift and an arrow select text.
    if (event.shiftKey) return;
    const items = [...(lines.current?.children ?? [])].filter((item) => item instanceof HTMLElement);
    const item = items.find((one) => one.contains(target));
    const controls = item === undefined ? [] : controlsOf(item).filter((control) => control.checkVisibility());
    const control = controls.find((one) => one === target);
    const places: Readonly<Record<string, HTMLElement | null | undefined>> = {
      ArrowUp: moved(items, item, -1),
      ArrowDown: moved(items, item, 1),
      Home: items.at(0),
      End: items.at(-1),
      ArrowRight: moved(controls, control, 1),
      ArrowLeft: moved(controls, control, -1),
      Escape: item === undefined ? undefined : box.current,
    };
    const to = places[key];
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
};
