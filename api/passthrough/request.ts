import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../../domain/error.ts';
import type { PassthroughMatch } from './policy.ts';

/** These parameters say who asks and for which session; the engine reads them and does not pass them on. */
const OURS = new Set(['agencyId', 'tenantId', 'session']);

/**
 * Bounds the parameters of a query, because a parser that meets too many stops reading; the strictest stops after a
 * thousand.
 */
const MAX_PARAMETERS = 32;

const FORWARDED_HEADERS = ['accept', 'accept-language', 'traceparent'] as const;

/**
 * Composes the backend's path from decoded segments, never from the client's text, so that nothing in it can leave
 * `/api`. Only the parameters that the route takes are passed on, and the session stands first: a parser of the backend
 * that stops early, or that reads `[session]` as `session`, then finds the caller's own session. Throws
 * `bad_request_target` for every other parameter.
 */
export function upstreamPath(match: PassthroughMatch, sessionName: string, query: URLSearchParams): string {
  const isInPath = match.sessionInPath !== undefined;
  const segments = isInPath ? [sessionName, ...match.segments] : match.segments;
  const given = [...query].filter(([name]) => !OURS.has(name));
  if (given.length > MAX_PARAMETERS) throw refused(`The query may have ${MAX_PARAMETERS} parameters.`);
  const unknown = given.find(([name]) => !match.parameters.includes(name));
  if (unknown) throw refused(namesTaken(match));
  const search = new URLSearchParams(isInPath ? given : [['session', sessionName], ...given]).toString();
  return `/api/${segments.map(encodeSegment).join('/')}${search === '' ? '' : `?${search}`}`;
}

function namesTaken({ parameters }: PassthroughMatch): string {
  return `The query of this route takes ${[...parameters, ...OURS].join(', ')}, and nothing else.`;
}

function refused(detail: string): EngineError {
  return new EngineError('bad_request_target', detail);
}

export function upstreamHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): Record<string, string> {
  const forwarded: Record<string, string> = { 'user-agent': 'messaging-automation-engine' };
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  return apiKey === undefined ? forwarded : { ...forwarded, 'x-api-key': apiKey };
}

/** Chat ids keep their `@`, as backends show them. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%40', '@');
}
