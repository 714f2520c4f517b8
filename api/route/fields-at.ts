import { z } from 'zod';

/** Returns the names of the fields that a schema takes at this place; none where it takes no object there. */
export function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here: unknown = schema;
  for (const key of path) here = unwrapped(here) instanceof z.ZodArray ? elementOf(here) : fieldOf(here, String(key));
  const found = unwrapped(here);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** Tells whether a schema takes an object of known names; a file, for example, has none. */
export function takesNames(schema: z.ZodType): boolean {
  return unwrapped(schema) instanceof z.ZodObject;
}

function fieldOf(schema: unknown, name: string): unknown {
  const object = unwrapped(schema);
  return object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
}

function elementOf(schema: unknown): unknown {
  const array = unwrapped(schema);
  return array instanceof z.ZodArray ? array.element : undefined;
}

function unwrapped(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
