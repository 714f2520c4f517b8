import type { Difference } from './differences.ts';

/**
 * In what an answer's keys and types are not those of an example. Null in an example says nothing of a type, an empty list or
 * map nothing of its contents.
 */
export function shapeDifferences(example: unknown, told: unknown, where: string): Difference[] {
  if (example === null || told === undefined) return [];
  if (typeName(example) !== typeName(told)) return [`${where}: is ${typeName(told)}, not ${typeName(example)}`];
  if (Array.isArray(example) && Array.isArray(told)) {
    const wanted: unknown[] = example;
    return unique(told.flatMap((item: unknown) => itemDifferences(wanted, item, `${where}[]`)));
  }
  if (!isRecord(example) || !isRecord(told) || Object.keys(example).length === 0) return [];
  const missing = Object.keys(example)
    .filter((key) => told[key] === undefined)
    .map((key) => `${where}.${key}: is missing`);
  const own = Object.entries(told).flatMap(([key, value]) =>
    key in example ? shapeDifferences(example[key], value, `${where}.${key}`) : [`${where}.${key}: is not there`],
  );
  return [...missing, ...own];
}

/** A field that only some items of the example have is optional. */
function itemDifferences(examples: readonly unknown[], item: unknown, where: string): Difference[] {
  const found = examples.map((example) => shapeDifferences(example, item, where));
  return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function unique(differences: Difference[]): Difference[] {
  return [...new Set(differences)];
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
