import { z } from 'zod';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const WorksRow = z.object({ works: z.boolean() });

/** Tells whether the key, the console link or the master key that has made something still works. */
export async function makerWorks(queries: Queries, maker: string): Promise<boolean> {
  const { works } = await one(queries, WorksRow)`select maker_works(${maker}, ${queries.now}) as works`;
  return works;
}
