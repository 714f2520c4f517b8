import { z } from 'zod';

/**
 * Reads what the engines behind the backend send. A field that is absent or of an odd type is null, never an error, because one
 * odd field must not cost a message.
 */

/** A field of any shape that may be absent; plain `z.unknown()` demands that the key is there. */
export const Anything = z.unknown().optional();

/** NUL is legal in JSON and illegal in PostgreSQL's text; half a surrogate pair would break receivers of our events. */
export const Text = z
  .string()
  .transform((text) => text.replaceAll('\u0000', '').toWellFormed())
  .nullable()
  .catch(null);

export const Flag = z.boolean().nullable().catch(null);

/** No date lies beyond; a larger number would break whoever makes a date of it. */
const MAX_NUMBER = 8e15;

/** Numbers arrive as strings in the raw objects of NOWEB (`docs/backend.md#sending`, 4). */
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

/** WEBJS gives addresses as objects in some places. */
export const Address = z
  .union([z.string(), z.object({ _serialized: z.string() }).transform((address) => address._serialized)])
  .nullable()
  .catch(null);

const UNIX_MILLISECONDS_FROM = 100_000_000_000;

/** Whole unix seconds; WEBJS sends fractions, and some raw fields are milliseconds. */
export function wholeSeconds(value: number): number {
  return Math.floor(value >= UNIX_MILLISECONDS_FROM ? value / 1000 : value);
}
