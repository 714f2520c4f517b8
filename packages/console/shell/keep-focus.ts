import { useEffect } from 'preact/hooks';

const CONTROLS = 'a[href], button, input, select, textarea, summary';

interface Held {
  element: Element;
  /** The innermost comes first. */
  around: readonly Element[];
}

const isThere = (element: Element): boolean =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled');

const aroundOf = (element: Element): Element[] => {
  const around: Element[] = [];
  for (let next = element.parentElement; next !== null; next = next.parentElement) around.push(next);
  return around;
};

/** The line beside a control that has done its work and is disabled. Another control, such as "Undo", would act. */
const statusBeside = (element: Element): HTMLElement | null => {
  const status = element.parentElement?.querySelector<HTMLElement>('[role="status"]') ?? null;
  if (status === null || !isThere(status)) return null;
  status.tabIndex = -1;
  return status;
};

const follows = (element: Element, control: Element): boolean =>
  (element.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

/** The nearest control to one that is gone: in its part of the page, or else the heading of the page. */
const nearestTo = ({ element, around }: Held): HTMLElement | null => {
  const place = around.find(isThere);
  // A thread is one stop: its first control would scroll it to the beginning.
  const thread = place?.closest<HTMLElement>('[role="log"]');
  if (thread) return thread;
  const isPart = place !== undefined && place.closest('main, dialog, header') !== null && !place.matches('main');
  const controls = isPart ? [...place.querySelectorAll<HTMLElement>(CONTROLS)].filter(isThere) : [];
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!element.isConnected) return controls[0] ?? heading;
  const after = controls.find((control) => follows(element, control));
  return statusBeside(element) ?? after ?? controls.at(-1) ?? heading;
};

/** Moves the focus when its control goes away. Browsers lose it then, and the next key would begin at the top. */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let held: Held | null = null;
    let isAwaited = false;
    const note = ({ target }: FocusEvent): void => {
      if (target instanceof Element) held = { element: target, around: aroundOf(target) };
    };
    const check = (): void => {
      isAwaited = false;
      if (held === null || isThere(held.element)) return;
      if (document.activeElement !== null && document.activeElement !== document.body) return;
      nearestTo(held)?.focus({ preventScroll: true });
    };
    // A browser notices a disabled control after the next frame, and dialogs give the focus back before.
    const watch = new MutationObserver(() => {
      if (isAwaited) return;
      isAwaited = true;
      requestAnimationFrame(() => setTimeout(check));
    });
    document.addEventListener('focusin', note);
    watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'open'] });
    return () => {
      document.removeEventListener('focusin', note);
      watch.disconnect();
    };
  }, []);
};
