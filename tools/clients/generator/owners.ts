import { answersOf, callsOf, nameOf } from './document.ts';
import type { OpenApi, Operation, Schema } from './document.ts';

export interface Owned {
  /** The resource whose file declares the schema; `shared` where several speak of it. */
  resource: string;
  /** Whether requests are made of it. */
  isGiven: boolean;
}

/** Says in which resource's folder each named schema is declared. */
export function ownersOf(document: OpenApi): Map<string, Owned> {
  const { schemas } = document.components;
  const users = new Map<string, Set<string>>();
  const given = new Set<string>();

  function reach(schema: Schema | undefined, resource: string, isGiven: boolean): void {
    for (const name of namesIn(schema)) {
      const known = users.get(name) ?? new Set();
      users.set(name, known);
      if (known.has(resource) && (!isGiven || given.has(name))) continue;
      known.add(resource);
      if (isGiven) given.add(name);
      reach(schemas[name], resource, isGiven);
    }
  }

  for (const { operation } of callsOf(document)) reachAll(operation, reach);
  for (const [, { post }] of Object.entries(document.webhooks))
    reachAll(post, (schema) => reach(schema, 'events', false));
  return new Map(
    Object.keys(schemas).map((name) => {
      const [resource = 'shared', ...others] = users.get(name) ?? [];
      return [name, { resource: others.length === 0 ? resource : 'shared', isGiven: given.has(name) }];
    }),
  );
}

function reachAll(operation: Operation, reach: (schema: Schema, resource: string, isGiven: boolean) => void): void {
  const [resource = ''] = operation.tags;
  for (const { schema } of operation.parameters ?? []) reach(schema, resource, true);
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) reach(schema, resource, true);
  for (const { content = {} } of answersOf(operation)) {
    for (const { schema } of Object.values(content)) reach(schema, resource, false);
  }
}

/** The schemas that one speaks of by name, wherever in it. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === '$ref' && typeof part === 'string' ? [nameOf(part)] : namesIn(part),
  );
}
