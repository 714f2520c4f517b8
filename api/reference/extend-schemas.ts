import { isNode, nodeOf, operationsIn } from './node.ts';
import type { Node } from './node.ts';

const REFERENCE = '#/components/schemas/';
/** The bytes of the words that refer to a base. */
const ALL_OF_BYTES = 90;

/**
 * Opens the schemas of answers, in place, because releases add fields. Then writes a schema that has all fields of
 * another as that one and its own fields.
 */
export function extendSchemas(document: Node): void {
  const components = nodeOf(nodeOf(document['components'])['schemas']);
  const given = givenNames(document, components);
  const answered = Object.entries(components).filter(([name]) => !given.has(name));
  for (const [, schema] of answered) open(schema);
  for (const operation of operationsIn(document, 'paths')) open(operation['responses']);
  const objects = answered
    .map(([name, schema]) => ({ name, schema: nodeOf(schema) }))
    .filter(({ schema }) => schema['type'] === 'object' && isNode(schema['properties']));
  const bases = objects.map((object) => ({ ...object, base: baseOf(object, objects) }));
  for (const { name, schema, base } of bases) {
    if (base !== undefined) components[name] = extended(schema, base);
  }
}

interface Named {
  name: string;
  schema: Node;
}

/** The names of schemas in bodies. A body refuses unknown fields, so they stay as they are. */
function givenNames(document: Node, components: Node): Set<string> {
  const names = new Set<string>();
  const follow = (node: unknown): void => {
    const found = JSON.stringify(node ?? null).matchAll(/"#\/components\/schemas\/([\w.-]+)"/g);
    for (const [, name = ''] of found) {
      if (names.has(name)) continue;
      names.add(name);
      follow(components[name]);
    }
  };
  for (const operation of operationsIn(document, 'paths')) follow(operation['requestBody']);
  return names;
}

function open(node: unknown): void {
  if (Array.isArray(node)) for (const item of node) open(item);
  if (!isNode(node)) return;
  if (node['additionalProperties'] === false) delete node['additionalProperties'];
  for (const inner of Object.values(node)) open(inner);
}

/** The largest schema whose fields are all in this one, required or not as here. */
function baseOf({ name, schema }: Named, all: readonly Named[]): Named | undefined {
  const properties = nodeOf(schema['properties']);
  const required = namesIn(schema['required']);
  const bases = all.filter((each) => {
    const own = nodeOf(each.schema['properties']);
    const names = Object.keys(own);
    return (
      each.name !== name &&
      names.length < Object.keys(properties).length &&
      names.every((key) => JSON.stringify(own[key]) === JSON.stringify(properties[key])) &&
      names.every((key) => required.includes(key) === namesIn(each.schema['required']).includes(key))
    );
  });
  const [largest] = bases.toSorted((a, b) => savedBy(b) - savedBy(a));
  return largest === undefined || savedBy(largest) < ALL_OF_BYTES ? undefined : largest;
}

function savedBy({ schema }: Named): number {
  return JSON.stringify([schema['properties'], schema['required'] ?? []]).length - ALL_OF_BYTES;
}

function extended({ description, properties, required, ...rest }: Node, base: Named): Node {
  const known = nodeOf(base.schema['properties']);
  const isOwn = (name: string): boolean => !(name in known);
  const own = Object.fromEntries(Object.entries(nodeOf(properties)).filter(([name]) => isOwn(name)));
  const needed = namesIn(required).filter(isOwn);
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [
      { $ref: REFERENCE + base.name },
      { ...rest, properties: own, ...(needed.length === 0 ? {} : { required: needed }) },
    ],
  };
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
