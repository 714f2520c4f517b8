import { isNode } from './node.ts';
import type { Node } from './node.ts';

/**
 * Finishes the schemas of the document. A format replaces the pattern that zod adds, because tools derive absurd
 * examples from patterns. Client generators read descriptions at the property, so they are repeated there. A default
 * becomes a sentence, because widespread generators demand each property that has a default.
 */
export function finishSchemas(document: unknown, components: Readonly<Record<string, unknown>>): void {
  visit(document, (node) => {
    if (node['format'] !== undefined) delete node['pattern'];
    if (node['in'] !== undefined && isNode(node['schema'])) node['description'] ??= node['schema']['description'];
    if (node['type'] === 'object' && isNode(node['properties'])) {
      for (const property of Object.values(node['properties'])) {
        if (!isNode(property)) continue;
        lift(property, components);
        sayDefault(property);
      }
    }
  });
}

function lift(property: Node, components: Readonly<Record<string, unknown>>): void {
  if (property['description'] !== undefined) return;
  const inner = [property, ...(Array.isArray(property['anyOf']) ? property['anyOf'] : [])].filter(isNode);
  const described = inner.map((node) => node['description'] ?? descriptionBehind(node, components));
  const description = described.find((text) => typeof text === 'string');
  if (description !== undefined) property['description'] = description;
}

function sayDefault(property: Node): void {
  const { default: taken, description = '' } = property;
  if (taken === undefined) return;
  delete property['default'];
  const words = typeof taken === 'string' ? taken : JSON.stringify(taken);
  const [first = '', ...rest] = String(description).split('\n\n');
  property['description'] = [`${first} Defaults to \`${words}\`.`.trimStart(), ...rest].join('\n\n');
}

function descriptionBehind(node: Node, components: Readonly<Record<string, unknown>>): unknown {
  const reference = node['$ref'];
  if (typeof reference !== 'string') return undefined;
  const component = components[reference.split('/').at(-1) ?? ''];
  return isNode(component) ? component['description'] : undefined;
}

function visit(node: unknown, each: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, each);
  if (!isNode(node)) return;
  each(node);
  for (const [name, inner] of Object.entries(node)) {
    // A property may be called "example"; elsewhere these two hold data and no schemas.
    if (name === 'properties' && isNode(inner)) for (const property of Object.values(inner)) visit(property, each);
    else if (name !== 'example' && name !== 'examples') visit(inner, each);
  }
}
