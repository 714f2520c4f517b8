import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/**
 * A fault of an earlier release whose traces are still in the rows. Both parts may run again at any time: what is right
 * is not found, and is not changed.
 */
export interface Repair {
  name: string;
  /** Says what is wrong, after a count. */
  title: string;
  /** True for a repair that deletes what a person may want to look at first. It mends only when it is named. */
  deletes?: true;
  /** Says what the repair did; without it, `repaired`. */
  mended?: string;
  find: (queries: Queries) => Promise<Found>;
  /** Puts right all that it finds in this transaction. */
  mend: (tx: Tx) => Promise<void>;
}

/** A finding: its count, and its first ids. It holds nothing personal, because it is printed. */
export interface Found {
  count: number;
  first: string[];
}

export const MAX_NAMED = 20;

const Line = z.object({ line: z.string(), count: z.int() });

/** Counts the rows of a query whose column `line` names each, and names the first. */
export async function foundBy(queries: Queries, named: RawBuilder<unknown>): Promise<Found> {
  const lines = await rows(queries, Line)`
    select line, count(*) over ()::int as count from (${named}) wrong order by line limit ${MAX_NAMED}`;
  return { count: lines[0]?.count ?? 0, first: lines.map(({ line }) => line) };
}
