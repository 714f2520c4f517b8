import { invalid, EngineError } from '../../domain/error.ts';
import { nearestRoute } from '../route/near-route.ts';
import { placeOf } from './match.ts';
import type { Native, PassthroughMatch } from './match.ts';
import { isReservedName, isOwnWord } from './names.ts';
import { MAX_PARAMETERS, OURS } from './request.ts';
import { BACKEND_METHODS } from './table/row.ts';
import type { BackendMethod, BackendRoute } from './table/row.ts';
import { BACKEND_ROUTES } from './table/table.ts';

/**
 * Administration of the backend's server, whatever a newer one calls it. Case does not count, because it does not to
 * the backend's router.
 */
const ADMINISTRATION =
  /^(?:servers?|keys?|apps?|admin|debug|env|environment|heap\w*|cpu|mcp|workers?|webhooks?|prox(?:y|ies)|config|tokens?|users?|licen[cs]es?|logs?|metrics|health|ping|version|dashboard|swagger|docs|openapi|system|instances?|clusters?|nodes?|plugins?|backups?|restore|shutdown|queues?|jobs?|databases?|internal|management|actuator)$/i;
/** The words after which the backend's paths name a session. */
const BEFORE_SESSION = new Set(['sessions', 'files']);
const MAX_SEGMENTS = 10;
/** A segment that holds no id: logs show only those. */
const WORD = /^[A-Za-z][A-Za-z-]{0,31}$/;
/** Ids and words; anything else could read as the end of a path somewhere. */
const PLAIN = /^[\w.@+:~-]+$/;
/** A path of this word sends something, by whatever method. */
const SENDS = /^(?:send|reply|forward)/i;

const KNOWN = Object.values(BACKEND_ROUTES)
  .flat()
  .filter(({ path }) => path.startsWith('/api/'))
  .map((route) => ({ route, parts: route.path.split('/').slice(2) }));
type Known = (typeof KNOWN)[number];

/**
 * Reads a request for a route that neither the engine nor its table knows as one for a newer backend. The first segment
 * is the session, unless the backend is known to use the word; `asWord` gives the other reading. Undefined for what
 * never passes: administration, what the table closes in any case of its letters, and what is probably a misspelt
 * native route.
 */
export function unknownMatch(method: string, path: string, natives: readonly Native[]): PassthroughMatch | undefined {
  const at = placeOf(path);
  const asked = BACKEND_METHODS.find((each) => each === (method === 'HEAD' ? 'GET' : method));
  if (at === undefined || asked === undefined) return undefined;
  const { segments, isPrefixed } = at;
  const [first = '', second] = segments;
  if (
    segments.length > MAX_SEGMENTS ||
    !segments.every((each) => PLAIN.test(each)) ||
    segments.some((each) => ADMINISTRATION.test(each))
  )
    return undefined;
  const known = KNOWN.filter(({ parts }) => fits(parts, segments));
  if (known.length > 0 && !isOpenPath(known, asked, segments)) return undefined;
  if (second === undefined && !WORD.test(first)) return undefined;
  if (isPrefixed && isOwnWord(first) && !isReservedName(first)) return undefined;
  if (isPrefixed && (isNativePath(natives, path) || nearestRoute(natives, asked, path) !== undefined)) return undefined;
  const isNamed = segments.length > 1 && !isReservedName(first);
  const isAfterWord = BEFORE_SESSION.has(first.toLowerCase());
  if (isAfterWord && (second === undefined || segments.length < 3)) return undefined;
  const place = known.length > 0 ? placeIn(known) : isNamed ? 0 : isAfterWord ? 1 : -1;
  const words = segments.map((each, i) => (i === place ? '{session}' : WORD.test(each) ? each : '{…}'));
  // The table knows which of the words are ids.
  const template = (known[0]?.parts ?? words).join('/');
  const route = routeOf(asked, segments, place);
  const isPreviewed = asked !== 'GET' && known.some((each) => each.route.previews);
  return {
    route: { ...route, previews: route.previews || isPreviewed },
    template: `/api/${isPrefixed ? 'v1/' : ''}${template}`,
    sessionInPath: place < 0 ? undefined : segments[place],
    segments,
    isUnknown: true,
  };
}

/**
 * Reads the first segment as a word of a newer backend instead of a session; undefined where it can only be a session.
 */
export function asWord(match: PassthroughMatch): PassthroughMatch | undefined {
  const { route, segments, template, sessionInPath } = match;
  const [first = ''] = segments;
  if (first !== sessionInPath || !WORD.test(first) || KNOWN.some(({ parts }) => fits(parts, segments)))
    return undefined;
  return {
    ...match,
    route: routeOf(route.method, segments, -1),
    template: template.replace('{session}', first),
    sessionInPath: undefined,
    beginsWithWord: true,
  };
}

/**
 * Says how to name the session in a path whose first word the engine reads as one. The same for a word of a newer
 * backend, for somebody else's session and for none, because it may not tell these apart.
 */
export function adviceFor(method: string, path: string, natives: readonly Native[]): string {
  const match = unknownMatch(method, path, natives);
  if (match === undefined || match.sessionInPath === undefined || match.sessionInPath !== match.segments[0]) return '';
  return `Either the first word of this path is no session of yours, or the backend has no such route. Begin with your session, or name it as \`session\` in the query or the body.`;
}

function routeOf(method: BackendMethod, segments: readonly string[], place: number): BackendRoute {
  return {
    method,
    path: `/api/${segments.map((each, i) => (i === place ? '{session}' : each)).join('/')}`,
    who: 'client',
    does: 'passes',
    sessionIn: place >= 0 ? 'path' : method === 'GET' ? 'query' : 'body',
    query: [],
    files: [],
    // A preview would fetch an address that a text has.
    previews: method !== 'GET' && segments.some((each) => SENDS.test(each)),
    why: 'the table of routes does not know it',
  };
}

/** The letters' case does not count, because it does not to the backend's router. */
function fits(parts: readonly string[], segments: readonly string[]): boolean {
  const isSame = (part: string, given = ''): boolean => part.toLowerCase() === given.toLowerCase();
  return (
    parts.length === segments.length && parts.every((part, i) => part.startsWith('{') || isSame(part, segments[i]))
  );
}

/**
 * True for a method that the table lacks on a path whose methods all pass as they are: a newer backend may have one
 * more. Other paths stay closed, because some backends do the same by several methods. A send would go round its
 * queue, its pace and the opt-outs. Other letters stay closed, because a router may read them as the table's own route.
 */
function isOpenPath(known: readonly Known[], method: BackendMethod, segments: readonly string[]): boolean {
  return known.every(({ route, parts }) => {
    const isExact = parts.every((part, i) => part.startsWith('{') || part === segments[i]);
    const isOpen = route.who === 'client' && route.does === 'passes';
    return isExact && isOpen && route.method !== method && parts.indexOf('{session}') === placeIn(known);
  });
}

function placeIn([first]: readonly Known[]): number {
  return first?.parts.indexOf('{session}') ?? -1;
}

/** Another method of a native path is refused as such, and other letters of it mean nothing. */
function isNativePath(natives: readonly Native[], path: string): boolean {
  const given = path.toLowerCase().split('/');
  return natives.some((native) => {
    const parts = native.path.toLowerCase().split('/');
    return parts.length === given.length && parts.every((part, i) => part.startsWith(':') || part === given[i]);
  });
}

/** True where the request needs the scope of a send: what it changes is not known. */
export function maySend({ route, segments }: PassthroughMatch): boolean {
  return route.method !== 'GET' || segments.some((each) => SENDS.test(each));
}

/** Names under which a backend takes an address to fetch, or another way out. */
const FETCHED =
  /^(?:ur[il]s?|files?|media|links?|href|src|source|images?|videos?|audios?|documents?|thumbnails?|pictures?|webhooks?|callback|proxy|host)$/i;
/** The last word of `imageUrl` or `image_url` says that it is an address. */
const isFetched = (name: string): boolean =>
  FETCHED.test(
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .split(/[\s_.-]+/)
      .at(-1) ?? '',
  );
/**
 * An address anywhere in a text: the backend may fetch it for a preview, and reads `http:host` and `\\host` as one, too.
 * Two slashes within base64 are none.
 */
const ADDRESS = new RegExp(
  [
    String.raw`\b(?:https?|wss?|ftps?|file)(?::|%3a)`,
    String.raw`(?<![\w+/=])(?://|\\\\)`,
    String.raw`\bwww\.`,
    String.raw`\blocalhost\b`,
    String.raw`(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])`,
    String.raw`\[[\da-f]*:[\da-f.:]*:[\da-f.:]*\]`,
  ].join('|'),
  'i',
);
const PREVIEW = /preview/i;
const QUERY_NAME = /^[A-Za-z][\w.-]{0,63}$/;

/** Refuses what a backend might fetch, and names that it might read as the session. */
export function requireHarmless(query: URLSearchParams, body: unknown): void {
  if (query.size > MAX_PARAMETERS + OURS.length) {
    throw new EngineError('bad_request_target', `The query may have at most ${MAX_PARAMETERS} parameters.`);
  }
  for (const [name, value] of query) {
    if (!QUERY_NAME.test(name) || isOtherSpelling(name)) {
      throw new EngineError('bad_request_target', 'The query has a name that the engine does not pass on.');
    }
    if (isFetched(name) || PREVIEW.test(name) || ADDRESS.test(value)) throw fetches(`query/${name}`);
  }
  requireHarmlessBody(body, '');
}

function requireHarmlessBody(value: unknown, pointer: string): void {
  if (typeof value === 'string' && ADDRESS.test(value)) throw fetches(pointer);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const here = `${pointer}/${name.slice(0, 64)}`;
    if (!Array.isArray(value)) {
      if (isFetched(name) && inner !== null) throw fetches(here);
      if (PREVIEW.test(name) && inner !== null && inner !== false) throw fetches(here);
      if (isOtherSpelling(name)) throw invalid({ pointer: here, message: 'must be written as the engine knows it' });
    }
    requireHarmlessBody(inner, here);
  }
}

function isOtherSpelling(name: string): boolean {
  return OURS.some((ours) => ours !== name && ours.toLowerCase() === name.toLowerCase());
}

function fetches(pointer: string): EngineError {
  return invalid(
    { pointer, message: 'may be an address to fetch, which the engine passes on to known routes only' },
    'Upload the file first, or use a route of docs/reference/backend-routes.md.',
  );
}
