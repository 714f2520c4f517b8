/** A browser's tab has room for two digits. */
const MAX_SHOWN = 99;

const shown = (count: number): string => (count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count));

/** The title of the tab: how many wait for an answer, the page, and the console's name. */
export const tabTitle = (page: string | undefined, name: string, waiting: number): string => {
  const title = page === undefined ? name : `${page} · ${name}`;
  return waiting === 0 ? title : `(${shown(waiting)}) ${title}`;
};

const GROUND = '#0d2f2b';
const MARK = '#5fd0bd';
const ALARM = '#e5484d';

/** The picture of the tab: the console's mark, and how many wait for an answer. */
export const tabIcon = (waiting: number): string => {
  const mark = `<rect width="32" height="32" rx="7" fill="${GROUND}"/><path d="M6 8h20v13H15l-5 5v-5H6z" fill="${MARK}"/>`;
  const size = waiting > 9 ? 15 : 18;
  const count =
    `<circle cx="21" cy="11" r="11" fill="${ALARM}"/><text x="21" y="${11 + size * 0.36}" font-size="${size}" ` +
    `font-family="sans-serif" font-weight="700" text-anchor="middle" fill="#fff">${waiting > MAX_SHOWN ? '99' : waiting}</text>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${mark}${waiting === 0 ? '' : count}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
};
