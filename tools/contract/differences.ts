import type { Document, Schema } from './document.ts';

/** One way in which an answer is not what the document says: `WAMessage.media: is null`. */
export type Difference = string;

/** Compares an answer with a schema. `where` names the nearest schema that has a name, and the field in it. */
export function differencesOf(document: Document, schema: Schema, value: unknown, where: string): Difference[] {
  const compare = (next: Schema, part: unknown, at: string): Difference[] => {
    if (next.$ref !== undefined) {
      const name = next.$ref.slice(next.$ref.lastIndexOf('/') + 1);
      const named = document.components.schemas[name];
      return named ? compare(named, part, part === null ? at : name) : [`${at}: refers to ${name}, which is missing`];
    }
    if (part === null) return next.nullable === true || next.type === 'null' ? [] : [`${at}: is null`];
    if (next.oneOf) return compareOneOf(next.oneOf, part, at);
    const fromAll = (next.allOf ?? []).flatMap((one) => compare(one, part, at));
    return [...fromAll, ...compareType(next, part, at)];
  };

  const compareOneOf = (choices: readonly Schema[], part: unknown, at: string): Difference[] => {
    const tried = choices.map((choice) => compare(choice, part, at));
    return tried.some((found) => found.length === 0) ? [] : [`${at}: fits none of ${choices.length} forms`];
  };

  const compareType = (next: Schema, part: unknown, at: string): Difference[] => {
    if (next.type !== undefined && typeName(part) !== next.type)
      return [`${at}: is ${typeName(part)}, not ${next.type}`];
    if (next.enum && !next.enum.includes(part)) return [`${at}: is ${JSON.stringify(part)}, which is not listed`];
    const { items } = next;
    if (items && Array.isArray(part)) return part.flatMap((one: unknown) => compare(items, one, `${at}[]`));
    return isRecord(part) && next.properties ? compareFields(next, next.properties, part, at) : [];
  };

  const compareFields = (
    { required = [] }: Schema,
    properties: Record<string, Schema>,
    part: Record<string, unknown>,
    at: string,
  ): Difference[] => {
    const missing = required.filter((name) => part[name] === undefined).map((name) => `${at}.${name}: is missing`);
    const fields = Object.entries(part).flatMap(([name, field]) => {
      const property = properties[name];
      return property ? compare(property, field, `${at}.${name}`) : [`${at}.${name}: is not in the document`];
    });
    return [...missing, ...fields];
  };

  return [...new Set(compare(schema, value, where))];
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
