import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { EXAMPLE_TENANT } from '../route/example-tenant.ts';
import type { Route } from '../route/route.ts';
import { recordedExamples } from './examples.ts';
import { withoutReferences } from './without-references.ts';

type Recorded = ReturnType<typeof recordedExamples>[string];

/** Returns the route's operation with what was recorded of it: requests by the kinds of keys, and an answer each. */
export function withExamples<Deps>(route: Route<Deps>): ZodOpenApiOperationObject {
  const { operation } = route;
  const recorded = recordedExamples()[operation.operationId ?? ''];
  if (!recorded) return operation;
  const { requestBody } = operation;
  const json = requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
  if (recorded.request === undefined || json === undefined) return withReplies(operation, recorded);
  const examples = requestExamples(recorded.request, route);
  const shown = {
    ...operation,
    requestBody: { required: true, content: { 'application/json': { ...json, examples } } },
  };
  return withReplies(shown, recorded);
}

/** A dashboard's key names the tenant where the agency has several, and a session's key is bound to one. */
function requestExamples<Deps>(request: Record<string, unknown>, { auth, scope, dashboardOnly }: Route<Deps>) {
  if (auth !== 'tenant') return { request: { summary: 'Request', value: request } };
  const dashboard = {
    summary: "With a dashboard's key, which names the tenant",
    value: { tenantId: EXAMPLE_TENANT, ...request },
  };
  if (dashboardOnly) return { dashboard };
  return { dashboard, session: { summary: `With a session's key that has the scope ${scope}`, value: request } };
}

/** An answer of another status that has the same schema stands in for one that was not recorded. */
function withReplies(
  operation: ZodOpenApiOperationObject,
  { replies, otherReplies = [] }: Recorded,
): ZodOpenApiOperationObject {
  const [any] = Object.values(replies);
  const responses = { ...operation.responses };
  for (const [status, response] of Object.entries(operation.responses)) {
    const json = 'content' in response ? response.content?.['application/json'] : undefined;
    const example = withoutReferences(replies[status] ?? any);
    if (!isGood(status) || json === undefined || example === undefined) continue;
    const others = status === '200' ? otherReplies : [];
    const shown = others.length === 0 ? { example } : { examples: namedExamples(example, others) };
    responses[status] = {
      ...response,
      content: { ...('content' in response ? response.content : {}), 'application/json': { ...json, ...shown } },
    };
  }
  return { ...operation, responses };
}

function namedExamples(usual: unknown, others: { summary: string; value: unknown }[]) {
  const entries = [{ summary: 'The usual response', value: usual }, ...others];
  return Object.fromEntries(entries.map((each, index) => [index === 0 ? 'usual' : `other${index}`, each]));
}

function isGood(status: string): status is `2${string}` {
  return status.startsWith('2');
}
