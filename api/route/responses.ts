import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERROR_CODES, ERRORS } from '../../domain/error.ts';
import type { ErrorCode } from '../../domain/error.ts';
import { bodyReading } from './body-reading.ts';
import type { Described } from './route-text.ts';
import { ARRAY_PAGE_HEADERS } from '../wire/page.ts';
import { Problem } from '../wire/problem.ts';
import { paginationOf } from './paging.ts';
import type { StreamText } from './route-text.ts';

/** Describes a route's answers to requests that succeed. */
export function goodResponses(route: Described): ZodOpenApiResponsesObject {
  const { status, reply, contentTypes } = route;
  const held = route.waits ? { 200: 'With `Prefer: wait`: all of its messages have been sent or have ended.' } : {};
  const statuses = { ...held, ...route.statuses };
  const files: ZodOpenApiResponseObject['content'] = {};
  for (const [type, description] of Object.entries(contentTypes ?? {})) {
    files[type] = { schema: { type: 'string', format: 'binary', description } };
  }
  const responses: ZodOpenApiResponsesObject = {};
  for (const [code, description] of Object.entries({ [status]: 'Done.', ...statuses })) {
    const headers = headersOf(route);
    const response = { description, ...(Object.keys(headers).length === 0 ? {} : { headers }) };
    const json = route.isFile ? {} : { 'application/json': { schema: reply } };
    const content = route.stream ? streamOf(route, route.stream) : { ...json, ...files };
    responses[statusKey(code)] = Number(code) === 204 ? response : { ...response, content };
  }
  return responses;
}

/** Describes the text of a stream, with the schemas of the data of its frames. */
function streamOf(
  { reply }: Described,
  { frames, example }: StreamText,
): NonNullable<ZodOpenApiResponseObject['content']> {
  const references = Object.entries(frames).map(([name, id]) => [name, { $ref: `#/components/schemas/${id}` }]);
  return { 'text/event-stream': { schema: reply, example, 'x-frames': Object.fromEntries(references) } };
}

const POLICY =
  'The burst limits of the key and of its agency, in units (`q`), and the seconds in which each is restored (`w`).';
const LEFT = 'The units left of each (`r`), and the seconds until all are restored (`t`).';
const RATE_HEADERS = {
  'RateLimit-Policy': {
    description: POLICY,
    schema: { type: 'string' as const },
    example: '"key";q=100;w=10, "agency";q=1000;w=10',
  },
  RateLimit: {
    description: LEFT,
    schema: { type: 'string' as const },
    example: '"key";r=99;t=1, "agency";r=999;t=1',
  },
};

/** The headers by which a key learns what it may still ask for, and whether its request was answered before. */
function headersOf(route: Described): NonNullable<ZodOpenApiResponseObject['headers']> {
  const isLimited = ['tenant', 'client', 'agency'].includes(route.auth);
  const replayed = {
    'Idempotent-Replayed': {
      description: replayedText(route),
      schema: { type: 'string' as const, enum: ['true'] },
    },
  };
  const pages = paginationOf(route);
  const isArrayOfPages = pages?.style === 'cursor' && pages.items === null;
  return {
    ...(isLimited ? RATE_HEADERS : {}),
    ...(route.idempotent ? replayed : {}),
    ...(isArrayOfPages ? ARRAY_PAGE_HEADERS : {}),
    ...(route.location === undefined ? {} : { Location: locationHeader(route.location) }),
  };
}

function locationHeader(description: string) {
  return {
    description,
    schema: { type: 'string' as const, format: 'uri-reference' },
  };
}

/** The header by which a caller learns when a retry may succeed. */
const RETRY_AFTER = {
  description: 'The seconds after which the same request may succeed.',
  schema: { type: 'integer' as const, minimum: 1 },
  example: 5,
};

function replayedText({ secrets = [] }: Described): string {
  const description = '`true` if this response was already returned to a request with the same Idempotency-Key.';
  const names = secrets.map((name) => `\`${name}\``).join(', ');
  return names === ''
    ? description
    : `${description} Ten minutes after the first response, it no longer contains ${names}, and lists them in ` +
        '`omitted`.';
}

/** Names the problems that a route may answer, one entry per status. They are described once for all routes. */
export function problemResponses(route: Described): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of byStatus(errorCodes(route))) {
    responses[statusKey(String(status))] = { $ref: `#/components/responses/${nameOf(codes)}` };
  }
  return responses;
}

/** Describes the problems of all these routes, by the names under which the routes refer to them. */
export function describeProblems(
  routes: readonly { errorCodes: readonly ErrorCode[] }[],
): Record<string, ZodOpenApiResponseObject> {
  const groups = routes.flatMap(({ errorCodes }) => [...byStatus(errorCodes).values()]);
  return Object.fromEntries(groups.map((codes) => [nameOf(codes), describeProblem(codes)]));
}

function describeProblem(codes: readonly ErrorCode[]): ZodOpenApiResponseObject {
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  const says = codes.some((code) => 'retryAfter' in ERRORS[code]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    ...(says ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
    content: { 'application/problem+json': { schema: Problem, examples } },
  };
}

function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  return Map.groupBy(codes, (code) => ERRORS[code].status);
}

function nameOf(codes: readonly ErrorCode[]): string {
  return codes.join('-or-');
}

/** Every code that the route may answer, in the order of the table. */
export function errorCodes(route: Described): ErrorCode[] {
  const codes = new Set<string>([...frameworkErrors(route), ...(route.errors ?? [])]);
  return ERROR_CODES.filter((code) => codes.has(code));
}

function frameworkErrors({ method, auth, params, query, body, idempotent }: Described): ErrorCode[] {
  const codes: ErrorCode[] = ['bad_request_target', 'internal'];
  if (auth === 'backend') codes.push('invalid_signature');
  if (auth !== 'public' && auth !== 'backend') codes.push('unauthorized', 'too_many_failed_keys');
  if (auth === 'public') codes.push('rate_limited');
  if (auth === 'master') codes.push('ambiguous_credentials', 'forbidden');
  if (auth === 'tenant' || auth === 'client' || auth === 'agency')
    codes.push(
      'dashboard_suspended',
      'not_found',
      'forbidden',
      'ambiguous_credentials',
      'invalid_request',
      'rate_limited',
    );
  if (params || query || body || idempotent) codes.push('invalid_request');
  if (idempotent) codes.push('idempotency_in_progress', 'idempotency_key_reused', 'erased');
  const reading = bodyReading(method, auth, body);
  if (reading === 'json') codes.push('malformed_json', 'body_too_large', 'unsupported_media_type');
  if (reading === 'file') codes.push('body_too_large', 'unsupported_media_type');
  if (auth === 'backend') codes.push('body_too_large', 'unsupported_media_type');
  return codes;
}

function statusKey(status: string): `${1 | 2 | 3 | 4 | 5}${string}` {
  return isStatus(status) ? status : '500';
}

function isStatus(status: string): status is `${1 | 2 | 3 | 4 | 5}${string}` {
  return /^[1-5]\d\d$/.test(status);
}
