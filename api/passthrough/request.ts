import type { IncomingHttpHeaders } from 'node:http';
import type { PassthroughMatch } from './policy.ts';

/** Ours, and every spelling under which a backend takes a credential or another session. */
const NEVER_FORWARDED = new Set([
  'agencyid',
  'tenantid',
  'session',
  'xapikey',
  'apikey',
  'authorization',
  'accesstoken',
  'token',
  'password',
]);

const FORWARDED_HEADERS = ['accept', 'accept-language', 'traceparent'] as const;

/** Composed from decoded segments, never from the client's text, so that nothing in it can leave `/api`. */
export function upstreamPath(match: PassthroughMatch, sessionName: string, query: URLSearchParams): string {
  const isInPath = match.sessionInPath !== undefined;
  const segments = isInPath ? [sessionName, ...match.segments] : match.segments;
  const forwarded = [...query].filter(([name]) => !NEVER_FORWARDED.has(plainName(name)));
  const search = new URLSearchParams(isInPath ? forwarded : [...forwarded, ['session', sessionName]]).toString();
  return `/api/${segments.map(encodeSegment).join('/')}${search === '' ? '' : `?${search}`}`;
}

export function upstreamHeaders(headers: IncomingHttpHeaders, apiKey: string | undefined): Record<string, string> {
  const forwarded: Record<string, string> = { 'user-agent': 'messaging-automation-engine' };
  for (const name of FORWARDED_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') forwarded[name] = value;
  }
  return apiKey === undefined ? forwarded : { ...forwarded, 'x-api-key': apiKey };
}

/** `Session`, `session[]` and `x_api_key` are the same to some query parsers. */
function plainName(name: string): string {
  return (name.split('[')[0] ?? '').toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Chat ids keep their `@`, as backends show them. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll('%40', '@');
}
