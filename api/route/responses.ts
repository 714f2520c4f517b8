import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS } from '../../domain/error.ts';
import type { ErrorCode } from '../../domain/error.ts';
import type { Described } from './operation.ts';
import { Problem } from '../wire/problem.ts';

/** Describes a route's answers to requests that succeed. */
export function goodResponses(route: Described): ZodOpenApiResponsesObject {
  const { status, reply, contentTypes } = route;
  const held = route.waits ? { 200: 'With `Prefer: wait`: all of its messages have been sent or have ended.' } : {};
  const statuses = { ...held, ...route.statuses };
  const content: ZodOpenApiResponseObject['content'] = { 'application/json': { schema: reply } };
  for (const [type, description] of Object.entries(contentTypes ?? {})) {
    content[type] = { schema: { type: 'string', format: 'binary', description } };
  }
  const responses: ZodOpenApiResponsesObject = {};
  for (const [code, description] of Object.entries({ [status]: 'Done.', ...statuses })) {
    const response = { description, ...(route.idempotent ? { headers: replayedHeader(route) } : {}) };
    responses[statusKey(code)] = Number(code) === 204 ? response : { ...response, content };
  }
  return responses;
}

function replayedHeader({ secrets = [] }: Described): NonNullable<ZodOpenApiResponseObject['headers']> {
  const description = '`true` where the answer was given before, to a request with the same Idempotency-Key.';
  const names = secrets.map((name) => `\`${name}\``).join(', ');
  const omission = ` Ten minutes after that it lacks ${names}, and says so in \`omitted\`.`;
  const text = names === '' ? description : description + omission;
  return { 'Idempotent-Replayed': { description: text, schema: { type: 'string', enum: ['true'] } } };
}

/** Describes the problems that a route may answer, one entry per status: the framework's codes and the route's own. */
export function problemResponses(route: Described): ZodOpenApiResponsesObject {
  const codes = new Set([...frameworkErrors(route), ...(route.errors ?? [])]);
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, same] of Map.groupBy(codes, (code) => ERRORS[code].status)) {
    responses[statusKey(String(status))] = {
      description: same.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
      content: { 'application/problem+json': { schema: Problem } },
    };
  }
  return responses;
}

function frameworkErrors({ auth, params, query, body, idempotent }: Described): ErrorCode[] {
  const codes: ErrorCode[] = ['bad_request_target', 'internal'];
  if (auth === 'backend') codes.push('invalid_signature');
  if (auth !== 'public' && auth !== 'backend') codes.push('unauthorized', 'too_many_failed_keys');
  if (auth === 'master') codes.push('ambiguous_credentials', 'forbidden');
  if (auth === 'tenant' || auth === 'client' || auth === 'agency')
    codes.push('dashboard_suspended', 'not_found', 'forbidden', 'ambiguous_credentials', 'invalid_request');
  if (params || query || body || idempotent) codes.push('invalid_request');
  if (idempotent) codes.push('idempotency_in_progress', 'idempotency_key_reused');
  if (body) codes.push('malformed_json', 'body_too_large', 'unsupported_media_type');
  return codes;
}

function statusKey(status: string): `${1 | 2 | 3 | 4 | 5}${string}` {
  return isStatus(status) ? status : '500';
}

function isStatus(status: string): status is `${1 | 2 | 3 | 4 | 5}${string}` {
  return /^[1-5]\d\d$/.test(status);
}
