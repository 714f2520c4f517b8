import { z } from 'zod';

/** A timestamp arrives as text, because MikroORM's pool does not parse it. */
export const Timestamp = z
  .string()
  .transform((text) => new Date(text))
  .pipe(z.date());

/** A row whose id alone is read. */
export const IdRow = z.object({ id: z.string() });
