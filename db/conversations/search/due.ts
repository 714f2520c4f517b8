import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../engine/database.ts';
import { one } from '../../engine/rows.ts';

/** One transaction indexes at most this many messages and chats, so that none is long. */
const BATCH = 500;
/** A search indexes at most this much by itself before it answers. */
const MAX_BEFORE_SEARCH = 5_000;

/** The rows of what is to be indexed. */
export const SEARCH_DUE = sql`search_due`;

const Count = z.object({ count: z.int() });

/** Indexes what was said and who was named a moment ago, so that a search finds it; false when that was too much. */
export async function indexBeforeSearch(database: Database): Promise<boolean> {
  for (let looked = 0; looked < MAX_BEFORE_SEARCH; looked += BATCH) {
    if ((await indexDue(database, { waits: true })) < BATCH) return true;
  }
  return false;
}

/** Indexes a share of what nobody has searched for yet, unless another process is at it. */
export async function indexInPassing(database: Database, share: number): Promise<void> {
  for (let looked = 0; looked < share; looked += BATCH) {
    if ((await indexDue(database, { waits: false })) < BATCH) return;
  }
}

async function indexDue(database: Database, { waits }: { waits: boolean }): Promise<number> {
  const { count } = await database.statement((tx) => one(tx, Count)`select index_due(${BATCH}, ${waits}) as count`);
  return count;
}
