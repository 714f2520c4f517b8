import { z } from 'zod';

/**
 * Reads what the engines behind the backend send. A field that is absent or of an odd type is read as null and never as
 * an error, because one odd field must not cost a message.
 */

/** A field of any shape that may be absent; plain `z.unknown()` would demand the field. */
export const Anything = z.unknown().optional();

/**
 * A text without NUL, which PostgreSQL cannot store, and without half surrogate pairs, which would break receivers of
 * events.
 */
export const Words = z.string().transform((text) => text.replaceAll('\u0000', '').toWellFormed());

/** Words that may be missing. */
export const Text = Words.nullable().catch(null);

export const Flag = z.boolean().nullable().catch(null);

/**
 * JavaScript has no date beyond this number of milliseconds, so a larger number would break the code that makes a date
 * of it.
 */
const MAX_NUMBER = 8e15;

/**
 * A number, also as a string, because numbers are strings in the raw objects of NOWEB (`docs/backend.md#sending`, 4).
 */
export const Numeric = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .transform(Number),
  ])
  .refine((value) => Math.abs(value) <= MAX_NUMBER)
  .nullable()
  .catch(null);

/** An address, which WEBJS writes as an object in some places. */
export const Address = z
  .union([z.string(), z.object({ _serialized: z.string() }).transform((address) => address._serialized)])
  .nullable()
  .catch(null);

const UNIX_MILLISECONDS_FROM = 100_000_000_000;

/** The last second of the year 9999: no text of a later year, nor of one before our era, is a time to all who read it. */
const MAX_SECONDS = 253_402_300_799;

/** Makes whole unix seconds of a time: WEBJS sends fractions, and some raw fields are in milliseconds. */
export function wholeSeconds(value: number): number {
  const seconds = Math.floor(value >= UNIX_MILLISECONDS_FROM ? value / 1000 : value);
  return Math.min(Math.max(seconds, 0), MAX_SECONDS);
}

/** Makes whole unix milliseconds of a time in milliseconds. */
export function wholeMilliseconds(value: number): number {
  return Math.min(Math.max(Math.floor(value), 0), MAX_SECONDS * 1_000);
}
