import type { Json } from '../json.ts';
import { isObject, storableText } from '../json.ts';

/** An expression has no value that a run can keep. */
class NoValue extends Error {}

/** Makes a value of JSON one of CEL: whole numbers are integers there. */
export function toCel(value: Json): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toCel);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toCel(each)]));
}

/**
 * Makes a value of CEL one of JSON: a timestamp is its ISO 8601 text, and a duration too. `room` counts down the size,
 * so that a value which is too large is refused before it is copied.
 */
export function toJson(value: unknown, room: { bytes: number }): Json {
  room.bytes -= typeof value === 'string' ? value.length : 8;
  if (room.bytes < 0) throw new NoValue('The value is too large.');
  switch (typeof value) {
    // `substring` may cut a character of two units in half.
    case 'string':
      return storableText(value);
    case 'boolean':
      return value;
    case 'bigint':
      return whole(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NoValue('The value is not a finite number.');
      return value;
    case 'object':
      return ofObject(value, room);
    default:
      throw new NoValue(`The value is a ${typeof value}, which JSON lacks.`);
  }
}

function ofObject(value: object | null, room: { bytes: number }): Json {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((each) => toJson(each, room));
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map) return ofEntries([...value], room);
  if (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
    return ofEntries(Object.entries(value), room);
  if (!isObject(value)) throw new NoValue('The value has no form in JSON.');
  const { seconds, nanos } = value;
  if (typeof seconds === 'bigint' && typeof nanos === 'number') return isoDuration(Number(seconds) + nanos / 1e9);
  const plain: unknown = value.valueOf();
  if (typeof plain === 'bigint') return whole(plain);
  throw new NoValue('The value is bytes or a type, which JSON lacks.');
}

const ofEntries = (entries: readonly (readonly [unknown, unknown])[], room: { bytes: number }): Json =>
  Object.fromEntries(
    entries.map(([key, each]) => {
      room.bytes -= String(key).length;
      return [storableText(String(key)), toJson(each, room)];
    }),
  );

function whole(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new NoValue('The whole number is too large for JSON.');
  return number;
}

/** A past duration waits no longer. */
const isoDuration = (seconds: number): string => `PT${Math.max(0, Math.round(seconds * 1_000) / 1_000)}S`;
