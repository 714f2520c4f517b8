import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../../domain/error.ts';
import type { PassthroughMatch } from './match.ts';

/** The engine reads these names, which say who asks and for which session, and does not pass them on. */
export const OURS = ['agencyId', 'tenantId', 'session', 'actor'] as const;
const ours: ReadonlySet<string> = new Set(OURS);

/**
 * Bounds the parameters of a query, because a parser that meets too many stops reading; the strictest stops after a
 * thousand.
 */
export const MAX_PARAMETERS = 32;

const FORWARDED_HEADERS = ['accept', 'accept-language', 'traceparent'] as const;

/**
 * Composes the backend's path from decoded segments, never from the client's text, so that nothing in it can leave
 * `/api`. Only the parameters that the route takes are passed on, and the session stands first: a parser of the backend
 * that stops early, or that reads `[session]` as `session`, then finds the caller's own session. Throws
 * `bad_request_target` for every other parameter.
 */
export function upstreamPath(match: PassthroughMatch, sessionName: string, query: URLSearchParams): string {
  const { route, segments } = match;
  const parts = route.path.split('/').slice(2);
  const path = segments.map((segment, i) => encodeSegment(parts[i] === '{session}' ? sessionName : segment));
  const given = [...query].filter(([name]) => !ours.has(name));
  if (given.length > MAX_PARAMETERS) throw refused(`The query may have at most ${MAX_PARAMETERS} parameters.`);
  const unknown = match.isUnknown ? undefined : given.find(([name]) => !route.query.includes(name));
  if (unknown)
    throw refused(`The query of this route accepts ${[...route.query, ...OURS].join(', ')}, and nothing else.`);
  const forced: [string, string][] = route.sessionIn === 'query' ? [['session', sessionName]] : [];
  const search = new URLSearchParams([...forced, ...given]).toString();
  return `/api/${path.join('/')}${search === '' ? '' : `?${search}`}`;
}

function refused(detail: string): EngineError {
  return new EngineError('bad_request_target', detail);
}

export function upstreamHeaders(headers: IncomingHttpHeaders, apiKey: string | null): Record<string, string> {
  const forwarded: Record<string, string> = { 'user-agent': 'messaging-automation-engine' };
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  return apiKey === null ? forwarded : { ...forwarded, 'x-api-key': apiKey };
}

/** Chat ids keep their `@`, as backends show them. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%40', '@');
}
