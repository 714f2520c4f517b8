import { z } from 'zod';

/**
 * Reads what the engines behind the backend send. A field that is absent or of an odd type is read as null and never as
 * an error, because one odd field must not cost a message.
 */

/** Reads what may be absent or odd; the default spares the many absent fields the error that would be caught. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null).catch(null);
}

/** A field of any shape that may be absent; plain `z.unknown()` would demand the field. */
export const Anything = z.unknown().optional();

/**
 * A text without NUL, which PostgreSQL cannot store, and without half surrogate pairs, which would break receivers of
 * events.
 */
export const Words = z.string().transform((text) => text.replaceAll('\u0000', '').toWellFormed());

/** Words that may be missing. */
export const Text = orNull(Words);

/** True for an object of JSON, which has fields. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const Flag = orNull(z.boolean());

/** No time of ours has more nanoseconds. */
const MAX_NUMBER = 8e18;

/**
 * A number, also as a string, because numbers are strings in the raw objects of NOWEB
 * (`docs/extend/backend.md#sending`, 4).
 */
export const Numeric = orNull(
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .refine((value) => Math.abs(value) <= MAX_NUMBER),
);

/** An address, which WEBJS writes as an object in some places. */
export const Address = orNull(
  z.union([z.string(), z.object({ _serialized: z.string() }).transform((address) => address._serialized)]),
);

const UNIX_MILLISECONDS_FROM = 100_000_000_000;
const UNIX_MICROSECONDS_FROM = 100_000_000_000_000;
const UNIX_NANOSECONDS_FROM = 100_000_000_000_000_000;

/** The last second of the year 9999: no text of a later year, nor of one before our era, is a time to all who read it. */
const MAX_SECONDS = 253_402_300_799;

/** True for a time that was told: 0 is how engines write that they know none. */
export function isTime(value: number | null | undefined): value is number {
  return value !== null && value !== undefined && value > 0;
}

/** Makes Unix milliseconds of a time in seconds, milliseconds, microseconds or nanoseconds; fields are in any of them. */
function millisecondsOf(value: number): number {
  if (value >= UNIX_NANOSECONDS_FROM) return value / 1_000_000;
  if (value >= UNIX_MICROSECONDS_FROM) return value / 1_000;
  return value >= UNIX_MILLISECONDS_FROM ? value : value * 1_000;
}

/** Makes whole Unix seconds of a time: WEBJS sends fractions, and some raw fields are in milliseconds. */
export function wholeSeconds(value: number): number {
  return Math.min(Math.max(Math.floor(millisecondsOf(value) / 1_000), 0), MAX_SECONDS);
}

/**
 * Makes whole Unix seconds of a time that has passed. A time to come would stay first in each list until it has come,
 * and a phone whose clock is ahead tells one.
 */
export function pastSeconds(value: number): number {
  return Math.min(wholeSeconds(value), Math.floor(Date.now() / 1_000));
}

/** Makes whole Unix milliseconds of a time in any unit. */
function wholeMilliseconds(value: number): number {
  return Math.min(Math.max(Math.floor(millisecondsOf(value)), 0), MAX_SECONDS * 1_000);
}

/** Makes whole Unix milliseconds of a time that has passed. */
export function pastMilliseconds(value: number): number {
  return Math.min(wholeMilliseconds(value), Date.now());
}
