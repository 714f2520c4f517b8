type Node = Record<string, unknown>;

/**
 * Puts the last touches to a schema of the document. A format says more to people and generators than the pattern that
 * zod writes beside it, of which tools make absurd examples. A description of what may be null, or of what stands
 * elsewhere, is repeated at the property, where client generators look for it. What is taken for a field that a body
 * leaves out is said in words: widespread generators demand each property that has a default.
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
  property['description'] = `${String(description)} Defaults to \`${words}\`.`.trimStart();
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

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
