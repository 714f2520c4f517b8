import { BACKEND_ROUTES } from './table/table.ts';
import { BACKEND_METHODS } from './table/row.ts';
import type { BackendRoute } from './table/row.ts';

export interface PassthroughMatch {
  route: BackendRoute;
  /** The route for logs, without ids. */
  template: string;
  /** The session that the path names; undefined when the query or the body names it. */
  sessionInPath: string | undefined;
  /** The decoded segments after `/api`. */
  segments: readonly string[];
  /** The table does not know the route, so only what cannot harm is passed on. */
  isUnknown: boolean;
  /** No session has the name in the first segment, so it is a word of a newer backend. */
  beginsWithWord?: true;
}

/** A native route, as far as it decides what is passed on. */
export interface Native {
  method: string;
  path: string;
}

/** Finds what a request means at the backend; undefined where it means a native route, or nothing that is known. */
export type Match = (method: string, path: string) => PassthroughMatch | undefined;

const PREFIX = '/api/v1/';

/** By method and number of segments, so that few are compared with a path. */
const ROUTES = Map.groupBy(
  Object.values(BACKEND_ROUTES)
    .flat()
    .filter(({ path }) => path.startsWith('/api/'))
    .map((route) => ({ route, parts: route.path.split('/').slice(2) }))
    // A fixed segment comes before a parameter, so that the first route that fits is the one that the path means.
    .toSorted((a, b) => (rank(a.parts) < rank(b.parts) ? -1 : 1)),
  ({ route, parts }) => `${route.method} ${parts.length}`,
);

/**
 * Finds the backend's route for a path of its own, `/api/…`, or for the same path under `/api/v1/…`, where a native
 * route comes first unless the backend's has more fixed segments. The gate has refused every path with more than one
 * spelling, so decoding cannot make or move a slash.
 */
export function createMatch(natives: readonly Native[]): Match {
  const own = Map.groupBy(
    natives
      .filter(({ path }) => path.startsWith(PREFIX))
      .map(({ method, path }) => ({ method, parts: path.slice(PREFIX.length).split('/') })),
    ({ method, parts }) => `${method} ${parts.length}`,
  );
  return (method, path) => {
    const at = placeOf(path);
    if (at === undefined) return undefined;
    const { segments, isPrefixed } = at;
    const kind = `${method === 'HEAD' ? 'GET' : method} ${segments.length}`;
    const found = ROUTES.get(kind)?.find(({ parts }) => fits(parts, segments));
    if (!found) return undefined;
    const { route, parts } = found;
    const first = rank(parts);
    const isNative = (native: { parts: readonly string[] }): boolean =>
      rank(native.parts) <= first && fits(native.parts, segments);
    if (isPrefixed && own.get(kind)?.some(isNative)) return undefined;
    const session = parts.indexOf('{session}');
    return {
      route,
      template: isPrefixed ? route.path.replace(/^\/api/, '/api/v1') : route.path,
      sessionInPath: session < 0 ? undefined : segments[session],
      segments,
      isUnknown: false,
    };
  };
}

/** True if a path exists that both this native route and one of the backend's fit, so that each path must be asked for. */
export function sharesPaths({ method, path }: Native): boolean {
  if (!path.startsWith(PREFIX)) return false;
  const own = path.slice(PREFIX.length).split('/');
  const same = ROUTES.get(`${method} ${own.length}`) ?? [];
  return same.some(({ parts }) =>
    parts.every((part, i) => isParameter(part) || isParameter(own[i] ?? '') || part === own[i]),
  );
}

/** Splits a path of the backend into decoded segments; undefined for every other path. */
export function placeOf(path: string): { segments: string[]; isPrefixed: boolean } | undefined {
  const [, api, ...given] = path.split('/');
  if (api !== 'api') return undefined;
  const isPrefixed = given[0] === 'v1';
  return { segments: (isPrefixed ? given.slice(1) : given).map(decodeURIComponent), isPrefixed };
}

/** Lists the routes that a path means under any method, for the answer to a method that is none of theirs. */
export function passedAt(match: Match): (path: string) => { path: string; methods: string[] }[] {
  return (path) =>
    BACKEND_METHODS.flatMap((method) => {
      const found = match(method, path);
      return found === undefined ? [] : [{ path: found.template, methods: [method] }];
    });
}

function isParameter(part: string): boolean {
  return part.startsWith('{') || part.startsWith(':');
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  return parts.length === segments.length && parts.every((part, i) => isParameter(part) || part === segments[i]);
}

function rank(parts: readonly string[]): string {
  return parts.map((part) => (isParameter(part) ? '\uffff' : part)).join('/');
}
