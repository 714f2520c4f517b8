import { isOwnWord } from './names.ts';
import type { BackendRoute } from './table/row.ts';
import { BACKEND_ROUTES } from './table/table.ts';

export interface PassthroughMatch {
  route: BackendRoute;
  /** The route for logs, without ids. */
  template: string;
  /** The session that the path names; undefined when the query or the body names it. */
  sessionInPath: string | undefined;
  /** The decoded segments after `/api`. */
  segments: readonly string[];
}

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
 * Finds the backend's route for a path of its own, `/api/…`, or for the same path under `/api/v1/…`, where the engine's
 * own words come first. The gate has refused every path with more than one spelling, so decoding cannot make or move a
 * slash.
 */
export function matchPassthrough(method: string, path: string): PassthroughMatch | undefined {
  const [, api, ...given] = path.split('/');
  if (api !== 'api') return undefined;
  const isPrefixed = given[0] === 'v1';
  const segments = (isPrefixed ? given.slice(1) : given).map(decodeURIComponent);
  if (isPrefixed && isOwnWord(segments[0] ?? '')) return undefined;
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = ROUTES.get(`${wanted} ${segments.length}`)?.find(({ parts }) => fits(parts, segments));
  if (!found) return undefined;
  const { route, parts } = found;
  const at = parts.indexOf('{session}');
  return {
    route,
    template: isPrefixed ? route.path.replace(/^\/api/, '/api/v1') : route.path,
    sessionInPath: at < 0 ? undefined : segments[at],
    segments,
  };
}

/** Lists the routes that a path means under any method, for the answer to a method that is none of theirs. */
export function passedAt(path: string): { path: string; methods: string[] }[] {
  return ['GET', 'POST', 'PUT', 'DELETE'].flatMap((method) => {
    const match = matchPassthrough(method, path);
    return match === undefined ? [] : [{ path: match.template, methods: [method] }];
  });
}

function fits(parts: readonly string[], segments: readonly string[]): boolean {
  return parts.every((part, i) => part.startsWith('{') || part === segments[i]);
}

function rank(parts: readonly string[]): string {
  return parts.map((part) => (part.startsWith('{') ? '\uffff' : part)).join('/');
}
