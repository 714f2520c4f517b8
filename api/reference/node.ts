/** An object of a document in JSON. */
export type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nodeOf(value: unknown): Node {
  return isNode(value) ? value : {};
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** Returns the operations of the paths, or those of the webhooks. */
export function operationsIn(document: Node, part: 'paths' | 'webhooks'): Node[] {
  return Object.values(nodeOf(document[part])).flatMap((item) =>
    Object.entries(nodeOf(item))
      .filter(([method]) => METHODS.has(method))
      .map(([, operation]) => nodeOf(operation)),
  );
}
