/** Addresses of the console: patterns such as `/message/:id`, and what stands behind the question mark. */

export type Query = Readonly<Record<string, string>>;
export type Params = Readonly<Record<string, string | undefined>>;
/** A change of a query: undefined or empty values leave the address. */
export type QueryChange = Readonly<Record<string, string | number | boolean | undefined>>;

/** The parameters of a path that fits the pattern, null where it does not fit. `:name?` may be missing at the end. */
export const matchPath = (pattern: string, path: string): Params | null => {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (given.length > wanted.length) return null;
  const params: Record<string, string | undefined> = {};
  for (const [place, part] of wanted.entries()) {
    const value = given[place];
    if (part.startsWith(':')) {
      if (value === undefined && !part.endsWith('?')) return null;
      params[part.replace(/^:|\?$/g, '')] = value === undefined ? undefined : decoded(value);
    } else if (part !== value) return null;
  }
  return params;
};

/** An address that somebody has typed may hold half an escape. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const readQuery = (search: string): Query => Object.fromEntries(new URLSearchParams(search));

/** The query after a change, in the order of names, so that equal filters are equal addresses. */
export const changeQuery = (query: Query, change: QueryChange): Query => {
  const next: Record<string, string> = { ...query };
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '' || value === false) delete next[name];
    else next[name] = String(value);
  }
  return Object.fromEntries(Object.entries(next).toSorted(([one], [other]) => (one < other ? -1 : 1)));
};

export const writeQuery = (query: Query): string => {
  const written = new URLSearchParams(query).toString();
  return written === '' ? '' : `?${written}`;
};

/** Whether an address shows the same page of the same agency: a page of another agency is another page. */
export const isSamePage = (one: URL, other: URL): boolean =>
  one.pathname === other.pathname &&
  (one.searchParams.get('agency') ?? '') === (other.searchParams.get('agency') ?? '');

/** Returns the prefix of the console's path before its name, because a proxy may add one. */
export const baseOf = (pathname: string, name = '/console'): string => {
  const at = `${pathname}/`.indexOf(`${name}/`);
  return at < 0 ? name : pathname.slice(0, at + name.length);
};

/** The path within the console; `/` for its first page. */
export const pathWithin = (base: string, pathname: string): string =>
  pathname.startsWith(base) ? pathname.slice(base.length) || '/' : '/';
