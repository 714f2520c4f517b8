import { p } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';

/** A timestamp arrives as text, because MikroORM's pool does not parse it. */
export const Timestamp = z
  .string()
  .transform((text) => new Date(text))
  .pipe(z.date());

/**
 * A time in whole microseconds since 1970, as text: exactly what PostgreSQL has, where a `Date` has milliseconds only.
 * A place in a list is written so.
 */
export const Micros = z.string().regex(/^-?\d{1,18}$/);

/** Writes a time as {@link Micros}. */
export const microsOf = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(extract(epoch from ${time}) * 1000000)::bigint::text`;

/** Reads {@link Micros} as a time. */
export const momentOf = (micros: string): RawBuilder<unknown> =>
  sql`('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond')`;

/** A row whose id alone is read. */
export const IdRow = z.object({ id: z.string() });

/** The columns with which each row of a conversation says whose it is. Each entity needs builders of its own. */
export const conversationRow = () => ({
  id: p.string().primary(),
  agencyId: p.string(),
  tenantId: p.string(),
  sessionId: p.string(),
  conversationId: p.string(),
});
