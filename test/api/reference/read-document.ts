import { z } from 'zod';

export type Node = { [key: string]: unknown };
const AnyNode: z.ZodType<Node> = z.record(z.string(), z.unknown());

export interface Operation {
  /** Its name in sentences. */
  name: string;
  method: string;
  isWebhook: boolean;
  node: Node;
}

export function nodeOf(value: unknown): Node {
  return AnyNode.catch({}).parse(value);
}

export function listOf(value: unknown): unknown[] {
  return z.array(z.unknown()).catch([]).parse(value);
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Follows a reference of the document. */
export function resolved(document: Node, value: unknown): Node {
  const node = nodeOf(value);
  const reference = textOf(node['$ref']);
  if (reference === '') return node;
  return resolved(
    document,
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((here, key) => nodeOf(here)[key], document),
  );
}

/** Every operation of the paths and of the webhooks. */
export function operationsOf(document: Node): Operation[] {
  return (['paths', 'webhooks'] as const).flatMap((part) =>
    Object.entries(nodeOf(document[part])).flatMap(([path, item]) =>
      Object.entries(nodeOf(item)).map(([method, node]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method,
        isWebhook: part === 'webhooks',
        node: nodeOf(node),
      })),
    ),
  );
}

/** The JSON of an operation's request or response: its schema and its examples. */
export interface Content {
  where: string;
  schema: unknown;
  examples: unknown[];
}

export function requestOf({ name, node }: Operation): Content | undefined {
  return contentOf(`The body of ${name}`, node['requestBody']);
}

export function answersOf({ name, node }: Operation): Content[] {
  return Object.entries(nodeOf(node['responses']))
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => contentOf(`The answer ${status} of ${name}`, response) ?? []);
}

function contentOf(where: string, holder: unknown): Content | undefined {
  const json = nodeOf(nodeOf(holder)['content'])['application/json'];
  if (json === undefined) return undefined;
  const { schema, example, examples } = nodeOf(json);
  const named = Object.values(nodeOf(examples)).map((each) => nodeOf(each)['value']);
  return { where, schema, examples: [...(example === undefined ? [] : [example]), ...named] };
}

/** Calls `each` with every schema that has properties, and says where it stands. */
export function eachSchema(node: unknown, where: string, each: (schema: Node, where: string) => void): void {
  if (Array.isArray(node)) for (const item of node) eachSchema(item, where, each);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const schema = nodeOf(node);
  if (schema['properties'] !== undefined) each(schema, where);
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'example' || key === 'examples') continue;
    if (key === 'properties') {
      for (const [name, property] of Object.entries(nodeOf(inner))) eachSchema(property, `${where}.${name}`, each);
    } else eachSchema(inner, PLAIN.has(key) ? where : `${where} ${key}`, each);
  }
}

const PLAIN = new Set([
  'schema',
  'items',
  'anyOf',
  'oneOf',
  'allOf',
  'content',
  'application/json',
  'components',
  'schemas',
]);
