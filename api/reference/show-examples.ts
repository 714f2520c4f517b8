import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { EXAMPLE_TENANT } from '../route/example-tenant.ts';
import type { Route } from '../route/route.ts';
import { isNode } from './node.ts';
import type { Node } from './node.ts';

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

/** By the names of the methods: what was asked, without the tenant, and what was answered, by its status. */
const Book = z.record(
  z.string(),
  z.object({
    request: z.record(z.string(), z.unknown()).optional(),
    replies: z.record(z.string(), z.unknown()),
    /** Answers of 200 to other ways of asking, each with what was different. */
    otherReplies: z.array(z.object({ summary: z.string(), value: z.unknown() })).optional(),
  }),
);
export type ExampleBook = z.infer<typeof Book>;

let book: ExampleBook | undefined;

/**
 * Reads what `npm run record-examples` has recorded: real requests and answers of an engine, one of each method. They
 * are read when a document is first made, because nothing else needs them.
 */
function recordedExamples(): ExampleBook {
  book ??= Book.parse(JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')));
  return book;
}

/**
 * Puts into each JSON Schema of an example what its references lead to. Generators take a `$ref` of an example for one
 * of the document's own, where `#/$defs/…` leads nowhere, and end.
 */
function withoutReferences(example: unknown): unknown {
  return resolved(example, {}, []);
}

function resolved(value: unknown, definitions: Node, open: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, definitions, open));
  return isNode(value) ? resolvedNode(value, definitions, open) : value;
}

/** `open` are the references that lead here: a schema that contains itself has no end. */
function resolvedNode({ $defs, $ref, ...rest }: Node, definitions: Node, open: readonly string[]): Node {
  const known = isNode($defs) ? $defs : definitions;
  const shown = Object.fromEntries(Object.entries(rest).map(([name, inner]) => [name, resolved(inner, known, open)]));
  if (typeof $ref !== 'string') return shown;
  const target = known[$ref.replace('#/$defs/', '')];
  if (!isNode(target) || open.includes($ref)) throw new Error(`An example cannot show where ${$ref} leads.`);
  return { ...resolvedNode(target, known, [...open, $ref]), ...shown };
}
