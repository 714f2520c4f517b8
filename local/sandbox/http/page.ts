import { z } from 'zod';
import { queryOf } from './context.ts';
import type { Context } from './context.ts';
import { parse } from './parse.ts';

const Count = z.coerce.number('must be a number conforming to the specified constraints').int().min(0);

/** Reads `limit` and `offset` of a list; a bad number is answered with 400. */
export function page(ctx: Context, defaultLimit: number): { limit: number; offset: number } {
  const schema = z.object({ limit: Count.default(defaultLimit), offset: Count.default(0) });
  return parse(schema, { limit: queryOf(ctx, 'limit'), offset: queryOf(ctx, 'offset') });
}
