import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import { EXAMPLE_TENANT } from '../route/example-tenant.ts';
import type { Route } from '../route/route.ts';
import { recordedExamples } from './examples.ts';

type Recorded = ReturnType<typeof recordedExamples>[string];

/** Returns the route's operation with what was recorded of it: requests by the kinds of keys, and an answer each. */
export function withExamples<Deps>({ auth, scope, operation }: Route<Deps>): ZodOpenApiOperationObject {
  const recorded = recordedExamples()[operation.operationId ?? ''];
  if (!recorded) return operation;
  const { requestBody } = operation;
  const json = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  if (recorded.request === undefined || json === undefined) return withReplies(operation, recorded);
  const examples = requestExamples(recorded.request, auth === 'tenant', scope);
  const shown = {
    ...operation,
    requestBody: { required: true, content: { 'application/json': { ...json, examples } } },
  };
  return withReplies(shown, recorded);
}

/** The scopes with which a session's key may use routes that take a body; for others these take the dashboard's key. */
const OF_SESSIONS: readonly (KeyScope | null)[] = ['send', 'read', 'ai:admin'];

/** A dashboard's key names the tenant where the agency has several, and a session's key is bound to one. */
function requestExamples(request: Record<string, unknown>, namesTenant: boolean, scope: KeyScope | null) {
  if (!namesTenant) return { request: { summary: 'Request', value: request } };
  const dashboard = {
    summary: "With a dashboard's key, which names the tenant",
    value: { tenantId: EXAMPLE_TENANT, ...request },
  };
  if (!OF_SESSIONS.includes(scope)) return { dashboard };
  return { dashboard, session: { summary: `With a session's key that has the scope ${scope}`, value: request } };
}

/** An answer of another status that has the same schema stands in for one that was not recorded. */
function withReplies(operation: ZodOpenApiOperationObject, { replies }: Recorded): ZodOpenApiOperationObject {
  const [any] = Object.values(replies);
  const responses = { ...operation.responses };
  for (const [status, response] of Object.entries(operation.responses)) {
    const json = 'content' in response ? response.content?.['application/json'] : undefined;
    const example = replies[status] ?? any;
    if (!isGood(status) || json === undefined || example === undefined) continue;
    responses[status] = {
      ...response,
      content: { ...('content' in response ? response.content : {}), 'application/json': { ...json, example } },
    };
  }
  return { ...operation, responses };
}

function isGood(status: string): status is `2${string}` {
  return status.startsWith('2');
}
