type Node = Record<string, unknown>;

/**
 * Puts into each JSON Schema of an example what its references lead to. Generators take a `$ref` of an example for one
 * of the document's own, where `#/$defs/…` leads nowhere, and end.
 */
export function withoutReferences(example: unknown): unknown {
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

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
