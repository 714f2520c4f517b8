import { z } from 'zod';

/** A timestamp arrives as text, because MikroORM's pool leaves its parsing to whoever reads it. */
export const Timestamp = z
  .string()
  .transform((text) => new Date(text))
  .pipe(z.date());

/** A row of which only the id matters. */
export const IdRow = z.object({ id: z.string() });
