/** A value of JSON, which an edit never changes in place: undo goes back to the value before. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value);

export const isObject = (value: Json | undefined): value is JsonObject =>
  value !== undefined && value !== null && typeof value === 'object' && !isList(value);

/** Reads what the engine or a text gives. Values that JSON lacks become null. */
export const asJson = (value: unknown): Json => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object') return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asJson(each)]));
};

/** The object, or an empty one for any other value. */
export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** Appends keys to a JSON pointer. */
export const below = (pointer: string, ...keys: (string | number)[]): string =>
  [pointer, ...keys.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');

export const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a pointer; undefined if there is none. */
export const valueAt = (value: Json, pointer: string): Json | undefined => {
  let found: Json | undefined = value;
  for (const key of keysOf(pointer)) {
    if (isList(found)) found = /^\d+$/.test(key) ? found[Number(key)] : undefined;
    else if (isObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
};

const put = (value: Json | undefined, [key, ...rest]: readonly string[], next: Json | undefined): Json | undefined => {
  if (key === undefined) return next;
  if (isList(value)) {
    const place = Number(key);
    const changed = put(value[place], rest, next);
    return changed === undefined ? value.toSpliced(place, 1) : value.toSpliced(place, 1, changed);
  }
  const before = objectOf(value);
  const own = Object.hasOwn(before, key) ? before[key] : undefined;
  const changed = put(own, rest, next);
  const entries = Object.entries(before);
  if (changed === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  // An own key keeps its place, so that a change of a value moves no line of the text.
  if (own === undefined) return Object.fromEntries([...entries, [key, changed]]);
  return Object.fromEntries(entries.map(([name, each]) => [name, name === key ? changed : each]));
};

/** The value with another one at the pointer; undefined removes what is there. */
export const withValue = (value: Json, pointer: string, next: Json | undefined): Json =>
  put(value, keysOf(pointer), next) ?? null;

/** Removes what is at the pointer, and the objects above it that become empty. */
export const without = (value: Json, pointer: string, down: string): Json => {
  const changed = withValue(value, pointer, undefined);
  const above = pointer.slice(0, pointer.lastIndexOf('/'));
  const left = valueAt(changed, above);
  const isEmpty = isObject(left) && Object.keys(left).length === 0;
  return isEmpty && above.length > down.length ? without(changed, above, down) : changed;
};

/** The same values, whatever the order of the keys. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean => {
  if (one === other) return true;
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((each, place) => isSame(each, other[place]));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], other[key]));
};
