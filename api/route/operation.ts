import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { AgencyField, TenantField } from '../../domain/scope.ts';
import { FileBody } from '../wire/file-body.ts';
import type { Auth } from './caller.ts';
import { paginationOf } from './paging.ts';
import { EXAMPLE_TENANT } from './example-tenant.ts';
import type { Described, ObjectSchema } from './route-text.ts';
import { errorCodes, goodResponses, problemResponses } from './responses.ts';

const TARGET_PARAMETERS = z.object({
  agencyId: AgencyField,
  tenantId: TenantField.meta({ examples: [EXAMPLE_TENANT] }),
});

const IDEMPOTENCY_HEADER = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'Makes the request safe to retry for 48 hours: a repeat returns the first response. Printable ASCII, ' +
        'for example a UUID.\n\nA repeated response has `Idempotent-Replayed: true`.',
    }),
});

const PREFER_HEADER = z.object({
  Prefer: z
    .string()
    .max(255)
    .optional()
    .meta({
      description:
        '`wait=10` holds the response for up to ten seconds, until each message is sent or has ended. The ' +
        'maximum is 30.\n\nThe response is then 200 with the outcome.',
      examples: ['wait=10'],
    }),
});

/** A header so long is refused (`actorOf`). */
const ACTOR_HEADER = z.object({
  'X-Engine-Actor': z
    .string()
    .max(1_152)
    .optional()
    .meta({
      description:
        'The percent-encoded name of the person who acts with a shared key, at most 128 characters. Handovers and the ' +
        'audit log show it.',
      examples: ['Ada%20Lovelace'],
    }),
});

const FILE: NonNullable<ZodOpenApiOperationObject['requestBody']> = {
  required: true,
  content: {
    'application/octet-stream': { schema: { type: 'string', format: 'binary', description: 'The file itself.' } },
  },
};

const SCHEMES: Record<Auth, 'apiKey' | 'psk' | 'backendSignature' | null> = {
  tenant: 'apiKey',
  client: 'apiKey',
  agency: 'apiKey',
  master: 'apiKey',
  psk: 'psk',
  public: null,
  backend: 'backendSignature',
};

/** The scheme of the route, with the scope that the key needs. */
function securityOf({ auth, scope }: Described): Record<string, string[]>[] {
  const scheme = SCHEMES[auth];
  return scheme === null ? [] : [{ [scheme]: scope ? [scope] : [] }];
}

/** Makes the route's entry in the OpenAPI document. */
export function describeOperation(route: Described): ZodOpenApiOperationObject {
  refuseUndescribedParameters(route);
  const query = documentedQuery(route);
  const { operationId, params } = route;
  const pagination = paginationOf(route);
  return {
    operationId,
    tags: [groupOf(operationId)],
    summary: route.summary,
    ...descriptionOf(route),
    ...(route.deprecated === undefined ? {} : { deprecated: route.deprecated }),
    security: securityOf(route),
    ...(isForDashboards(route) ? { 'x-dashboard-key': true } : {}),
    ...(route.cost === undefined || route.cost === 1 ? {} : { 'x-rate-cost': route.cost }),
    requestParams: {
      ...(params ? { path: params } : {}),
      ...(query ? { query } : {}),
      ...headersOf(route),
    },
    ...requestBodyOf(route),
    responses: { ...goodResponses(route), ...problemResponses(route) },
    'x-error-codes': errorCodes(route),
    ...(pagination === undefined ? {} : { 'x-pagination': pagination }),
  };
}

/** The group of a method is what stands before the dot of its name. */
function groupOf(operationId: string): string {
  return operationId.split('.')[0] ?? '';
}

/**
 * A documented body is always marked as required: clients then send at least `{}`. The engine takes a missing body as an
 * empty object all the same.
 */
function requestBodyOf(route: Described): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  if (!route.body) return {};
  if (route.body === FileBody) return { requestBody: FILE };
  return { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } };
}

/** No session's key opens the route, whatever its scopes. */
export function isForDashboards({ auth, dashboardOnly = false }: { auth: Auth; dashboardOnly?: boolean }): boolean {
  return auth === 'agency' || dashboardOnly;
}

/** Says whose key the route takes, where it is not any, and its cost in the rate limits, where that is above one unit. */
function descriptionOf(route: Described): { description?: string } {
  const { description, cost = 1 } = route;
  const whose = isForDashboards(route) ? ["Needs the dashboard's key."] : [];
  const costs = cost > 1 ? [`Costs ${cost} units of the rate limits.`] : [];
  const needs = [...whose, ...costs].join(' ');
  const text = [description ?? '', needs].filter((part) => part !== '').join('\n\n');
  return text === '' ? {} : { description: text };
}

function headersOf({ method, auth, idempotent, waits, headers }: Described): { header?: z.ZodObject } {
  const shape = {
    ...(idempotent ? IDEMPOTENCY_HEADER.shape : {}),
    ...(idempotent && waits ? PREFER_HEADER.shape : {}),
    ...(idempotent ? {} : headers?.shape),
    ...(method !== 'GET' && SCHEMES[auth] === 'apiKey' ? ACTOR_HEADER.shape : {}),
  };
  return Object.keys(shape).length === 0 ? {} : { header: z.object(shape) };
}

function refuseUndescribedParameters({ method, path, params }: Described): void {
  const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const described = Object.keys(params?.shape ?? {});
  const isDescribed = named.length === described.length && named.every((name) => described.includes(name));
  if (!isDescribed) throw new Error(`${method} ${path} does not describe its parameters.`);
}

/** Agency and tenant may always be named in the query; they are shown there unless the body or path shows them. */
function documentedQuery({ auth, params, query, body }: Described): ObjectSchema {
  if (auth !== 'tenant' && auth !== 'agency' && auth !== 'client') return query;
  const shown = [params, query, body].flatMap((schema) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
  );
  const missing = z.object(
    Object.fromEntries(
      Object.entries(TARGET_PARAMETERS.shape).filter(
        ([name]) => !shown.includes(name) && (auth !== 'agency' || name === 'agencyId'),
      ),
    ),
  );
  return query ? query.extend(missing.shape) : missing;
}
