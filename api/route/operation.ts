import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { ExternalId } from '../../domain/scope.ts';
import type { Auth } from './auth.ts';
import { goodResponses, problemResponses } from './responses.ts';
import type { BodySchema, Method, ObjectSchema, RouteText } from './route.ts';

export interface Described extends RouteText {
  method: Method;
  path: string;
  auth: Auth;
  params?: ObjectSchema;
  query?: ObjectSchema;
  body?: BodySchema;
  status: number;
  reply: z.ZodType;
}

const TARGET_PARAMETERS = z.object({
  agencyId: ExternalId.optional().meta({ description: "Left out with a session's key." }),
  tenantId: ExternalId.optional().meta({ description: "Left out with a session's key." }),
});

const IDEMPOTENCY_HEADER = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description:
        'Makes the request safe to repeat for 48 hours: the same request with the same key gets the first answer again, with ' +
        '`Idempotent-Replayed: true`. Printable ASCII, for example a UUID.',
    }),
});

const PREFER_HEADER = z.object({
  Prefer: z
    .string()
    .max(255)
    .optional()
    .meta({
      description:
        '`wait=10` holds the answer up to ten seconds, thirty at most, and makes it 200 with what became of the messages once ' +
        'each was sent or has ended.',
      example: 'wait=10',
    }),
});

const SECURITY: Record<Auth, Record<string, string[]>[]> = {
  tenant: [{ apiKey: [] }],
  client: [{ apiKey: [] }],
  agency: [{ apiKey: [] }],
  master: [{ apiKey: [] }],
  psk: [{ psk: [] }],
  public: [],
  backend: [],
};

/** Makes the route's entry in the OpenAPI document. */
export function describeOperation(route: Described): ZodOpenApiOperationObject {
  refuseUndescribedParameters(route);
  const query = documentedQuery(route);
  const { params, body } = route;
  return {
    operationId: operationId(route.method, route.path),
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(route.tags === undefined ? {} : { tags: route.tags }),
    ...(route.deprecated === undefined ? {} : { deprecated: route.deprecated }),
    security: SECURITY[route.auth],
    requestParams: {
      ...(params ? { path: params } : {}),
      ...(query ? { query } : {}),
      ...headersOf(route),
    },
    ...(body
      ? { requestBody: { required: !body.safeParse({}).success, content: { 'application/json': { schema: body } } } }
      : {}),
    responses: { ...goodResponses(route), ...problemResponses(route) },
  };
}

function headersOf({ idempotent, waits }: Described): { header?: z.ZodObject } {
  if (!idempotent) return {};
  return { header: waits ? IDEMPOTENCY_HEADER.extend(PREFER_HEADER.shape) : IDEMPOTENCY_HEADER };
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

function operationId(method: Method, path: string): string {
  const words = path
    .replace(/^\/(api\/v1\/)?/, '')
    .replaceAll(/\/:(\w+)/g, '/by-$1')
    .split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
