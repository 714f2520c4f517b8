import { storable } from '../sending/storable.ts';

/** A value of JSON, which is all that a run keeps. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A mistake in a definition: its place as a JSON pointer, and a sentence. */
export interface Problem {
  pointer: string;
  message: string;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isJsonObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Appends keys to a JSON pointer. */
export const below = (pointer: string, ...keys: (string | number | symbol)[]): string =>
  [pointer, ...keys.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

/** Removes what PostgreSQL cannot store. A row that cannot be written would have its run repeat one step forever. */
export const storableText = (text: string): string => storable(text, text.length);

/**
 * Reads a value as JSON that a row can keep. It is null for what JSON lacks, such as a function or `undefined`.
 */
export function asJson(value: unknown): Json {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(asJson);
  if (!isObject(value)) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storableText(key), asJson(each)]));
}
