import { computed, signal } from '@preact/signals';
import { baseOf, changeQuery, isSamePage, pathWithin, readQuery, writeQuery } from './router.ts';
import type { QueryChange } from './router.ts';

export const base = baseOf(window.location.pathname);

const read = () => ({ path: pathWithin(base, window.location.pathname), query: readQuery(window.location.search) });

/** The address, which alone knows the page, its filters and what is chosen. */
const route = signal(read());
export const path = computed(() => route.value.path);
export const query = computed(() => route.value.query);

/** The parameters that survive a change of the page: the shown agency and tenant. */
const PLACE = ['agency', 'tenant'];

/** The address of a page of the console, in the place that is chosen. */
export const href = (to: string, wanted: QueryChange = {}): string => {
  const place = Object.fromEntries(Object.entries(query.value).filter(([name]) => PLACE.includes(name)));
  return `${base}${to === '/' ? '' : to}${writeQuery(changeQuery(place, wanted))}`;
};

const arrive = (): void => {
  route.value = read();
};

/** Asks before a page with unsaved changes is left; null while there are none. False keeps the page. */
let mayLeave: (() => Promise<boolean>) | null = null;

/** Has a question asked before the page is left. Returns what ends that. */
export const guardLeaving = (ask: () => Promise<boolean>): (() => void) => {
  // The browser asks in its own words when the tab is closed.
  const keep = (event: BeforeUnloadEvent): void => event.preventDefault();
  window.addEventListener('beforeunload', keep);
  mayLeave = ask;
  return () => {
    window.removeEventListener('beforeunload', keep);
    if (mayLeave === ask) mayLeave = null;
  };
};

const leaveFor = (address: string, isPushed = true): void => {
  const enter = (): void => {
    if (isPushed) window.history.pushState(null, '', address);
    else window.history.replaceState(null, '', address);
    arrive();
  };
  const now = new URL(window.location.href);
  if (mayLeave === null || isSamePage(new URL(address, now), now)) return enter();
  void mayLeave().then((isLeft) => {
    if (isLeft) enter();
    // A menu that shows the other choice already is drawn again with the present one.
    else arrive();
  });
};

export const go = (to: string, wanted: QueryChange = {}): void => leaveFor(href(to, wanted));

/** Changes the filters. The button "back" leads to the page before, not to the letter before, unless `push` is asked for. */
export const setQuery = (change: QueryChange, { push = false } = {}): void =>
  leaveFor(`${base}${path.value}${writeQuery(changeQuery(query.value, change))}`, push);

const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented;

const clicked = (event: MouseEvent): void => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || !isPlainClick(event) || link.target !== '' || link.hasAttribute('download')) return;
  const to = new URL(link.href);
  const isInside = to.origin === window.location.origin && `${to.pathname}/`.startsWith(`${base}/`);
  // A fragment, such as the one of the link to the content, is the browser's.
  if (!isInside || to.hash !== '') return;
  event.preventDefault();
  if (to.href === window.location.href) arrive();
  else leaveFor(to.href);
};

/** The browser has moved by the time that it tells, so a page that stays gets its address back. */
const moved = (): void => {
  const to = new URL(window.location.href);
  const left = new URL(`${base}${path.peek()}${writeQuery(query.peek())}`, to);
  if (mayLeave === null || isSamePage(to, left)) return arrive();
  window.history.pushState(null, '', left);
  leaveFor(to.href);
};

/** Catches clicks on links into the console, and the buttons "back" and "forward". */
export const followLinks = (): void => {
  document.addEventListener('click', clicked);
  window.addEventListener('popstate', moved);
};
