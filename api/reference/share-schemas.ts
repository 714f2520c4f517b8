import { isNode, nodeOf, operationsIn } from './node.ts';
import type { Node } from './node.ts';

/** A schema that the document repeats, with the places that use it. */
interface Repeated {
  places: Place[];
  /** Counts each full text, because uses of one schema may have descriptions of their own. */
  texts: Map<string, number>;
}

interface Place {
  component: string;
  property: string;
}

const REFERENCE = '#/components/schemas/';
/** The bytes of a reference with a name of usual length. */
const REFERENCE_BYTES = 45;

/**
 * Moves each schema that the document repeats to the components, in place. Descriptions that a component already has
 * are dropped beside the reference.
 */
export function shareSchemas(document: Node): void {
  const components = nodeOf(nodeOf(document['components'])['schemas']);
  const repeated = findRepeated(document, components, findRepeated(document, components));
  const named = nameAll(repeated, components);
  const replaced = new Set(named.values());
  eachRoot(document, components, (schema, place, put) => put(rewrite(schema, named, place.property === '')));
  for (const [key, name] of [...named].toSorted(([, a], [, b]) => (a < b ? -1 : 1))) {
    components[name] = rewrite(commonForm(repeated.get(key)), named, true);
  }
  for (const schema of Object.values(components)) dropKnownDescriptions(Object.values(nodeOf(schema)), components);
  for (const operation of operationsIn(document, 'paths')) dropKnownDescriptions(operation, components);
  if (replaced.size !== named.size) throw new Error('Two shared schemas have the same name.');
}

/** Calls `each` with the schemas of components, bodies and answers. A component has no property. */
function eachRoot(
  document: Node,
  components: Node,
  each: (schema: Node, place: Place, put: (changed: Node) => void) => void,
): void {
  for (const [component, schema] of Object.entries(components)) {
    each(nodeOf(schema), { component, property: '' }, (changed) => {
      components[component] = changed;
    });
  }
  for (const operation of operationsIn(document, 'paths')) {
    const holders = [nodeOf(operation['requestBody']), ...Object.values(nodeOf(operation['responses'])).map(nodeOf)];
    const contents = holders.flatMap((holder) => Object.values(nodeOf(holder['content'])).map(nodeOf));
    const component = pascal(String(operation['operationId']));
    for (const content of contents.filter(({ schema }) => isNode(schema))) {
      each(nodeOf(content['schema']), { component, property: 'result' }, (changed) => {
        content['schema'] = changed;
      });
    }
  }
}

/** Reads the inside of each `known` schema once, so that a count means uses that remain. */
function findRepeated(
  document: Node,
  components: Node,
  known: ReadonlyMap<string, Repeated> = new Map(),
): Map<string, Repeated> {
  const found = new Map<string, Repeated>();
  const look = (schema: Node, place: Place): void => {
    if (place.property !== '' && isWorthSharing(schema)) {
      const key = keyOf(schema);
      const each: Repeated = found.get(key) ?? { places: [], texts: new Map() };
      found.set(key, each);
      each.places.push(place);
      const text = JSON.stringify(schema);
      each.texts.set(text, (each.texts.get(text) ?? 0) + 1);
      if (each.places.length > 1 && known.has(key)) return;
    }
    for (const [name, inner] of childrenOf(schema)) look(inner, { ...place, property: name ?? place.property });
  };
  eachRoot(document, components, look);
  return new Map([...found].filter(([, each]) => saves(each)));
}

/**
 * A reference says less than a constant, by which generators tell the members of a union apart. Unions with objects
 * share the objects: openapi-python-client makes those inside a shared union once for each use, and then refuses.
 */
function isWorthSharing(schema: Node): boolean {
  if (schema['$ref'] !== undefined || schema['const'] !== undefined) return false;
  const text = JSON.stringify(schema);
  const isUnion = schema['anyOf'] !== undefined || schema['oneOf'] !== undefined;
  return text.length > 60 && !(isUnion && text.includes('"properties":'));
}

function saves({ places, texts }: Repeated): boolean {
  const bytes = [...texts].reduce((sum, [text, count]) => sum + text.length * count, 0);
  const longest = Math.max(...[...texts.keys()].map((text) => text.length));
  return places.length > 1 && bytes - longest - REFERENCE_BYTES * (places.length + 1) > 40;
}

/** Two plain strings are one schema only if they mean the same; a list of words or an object says what it is. */
function keyOf(schema: Node): string {
  const { description: _, ...bare } = schema;
  return JSON.stringify(/"(?:enum|properties)":/.test(JSON.stringify(bare)) ? bare : schema);
}

function commonForm(repeated: Repeated | undefined): Node {
  const [first] = [...(repeated?.texts ?? [])].toSorted(([, a], [, b]) => b - a);
  return nodeOf(JSON.parse(first?.[0] ?? '{}'));
}

/** The schemas directly inside, with the names of properties; an item bears the name in the singular. */
function childrenOf(schema: Node): [name: string | undefined, inner: Node][] {
  const properties = Object.entries(nodeOf(schema['properties']));
  const lists = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(schema[keyword]));
  const others = [schema['items'], schema['additionalProperties'], ...lists];
  return [
    ...properties.map(([name, inner]): [string, Node] => [name, nodeOf(inner)]),
    ...others.filter(isNode).map((inner): [undefined, Node] => [undefined, inner]),
  ];
}

function rewrite(schema: Node, named: ReadonlyMap<string, string>, isComponent: boolean): Node {
  const name = isComponent ? undefined : named.get(keyOf(schema));
  if (name !== undefined) {
    const { description } = schema;
    return { $ref: REFERENCE + name, ...(description === undefined ? {} : { description }) };
  }
  const inside = (inner: unknown): unknown => (isNode(inner) ? rewrite(inner, named, false) : inner);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') {
        const properties = Object.entries(nodeOf(value)).map(([property, inner]) => [property, inside(inner)]);
        return [keyword, Object.fromEntries(properties)];
      }
      if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return [keyword, listOf(value).map(inside)];
      return [keyword, keyword === 'items' || keyword === 'additionalProperties' ? inside(value) : value];
    }),
  );
}

/** Names each schema by the property that uses it most; a single word says too little and gets the schema around it. */
function nameAll(repeated: ReadonlyMap<string, Repeated>, components: Node): Map<string, string> {
  const taken = takenNames(components);
  const named = new Map<string, string>();
  for (const [key, { places }] of repeated) {
    const [property = ''] = mostCommon(places.map((place) => place.property));
    const around = places.filter((place) => place.property === property).map((place) => place.component);
    const [component = ''] = around.toSorted((a, b) => a.length - b.length);
    const plain = pascal(property);
    const long = [1, 2, 3, 4].map((each) => `${plain}Of${component}${each === 1 ? '' : each}`);
    const choices = /[a-z][A-Z]/.test(property) ? [plain, ...long] : long;
    const name = choices.find((choice) => !taken.has(choice));
    if (name === undefined) throw new Error(`No name is left for a schema of ${component}.${property}.`);
    taken.add(name);
    named.set(key, name);
  }
  return named;
}

/** Generators name an inner type by its schema and its property. */
function takenNames(components: Node): Set<string> {
  const inner = Object.entries(components).flatMap(([component, schema]) =>
    Object.keys(nodeOf(nodeOf(schema)['properties'])).map((property) => component + pascal(property)),
  );
  return new Set([...Object.keys(components), ...inner]);
}

function mostCommon(names: readonly string[]): string[] {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length).map(([name]) => name);
}

function dropKnownDescriptions(node: unknown, components: Node): void {
  if (Array.isArray(node)) for (const item of node) dropKnownDescriptions(item, components);
  if (!isNode(node)) return;
  if (typeof node['description'] === 'string' && descriptionsBehind(node, components).includes(node['description'])) {
    delete node['description'];
  }
  for (const inner of Object.values(node)) dropKnownDescriptions(inner, components);
}

/** The description of what a schema refers to; one that may be null refers to it in a choice. */
function descriptionsBehind(schema: Node, components: Node): unknown[] {
  return [schema, ...listOf(schema['anyOf'])].map((part) => {
    const reference = nodeOf(part)['$ref'];
    return typeof reference === 'string' ? nodeOf(components[reference.replace(REFERENCE, '')])['description'] : null;
  });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9])+(\w)/g, (_, letter: string) => letter.toUpperCase());
}
