import type { Database } from '../db/engine/database.ts';
import type { Tx } from '../db/engine/tx.ts';

const BATCH = 1_000;

interface Means {
  database: Database;
  isStopping: () => boolean;
  /** True for a new store of Temporal, which lacks them all: then page after page until none is left, else one page. */
  all: boolean;
}

/** Promises again what the rows say must run. */
export async function inPages(
  { database, isStopping, all }: Means,
  redispatch: (tx: Tx, limit: number, allSince: Date | null) => Promise<number>,
): Promise<number> {
  const allSince = all ? database.clock.now() : null;
  let promised = 0;
  for (;;) {
    const page = await database.transaction((tx) => redispatch(tx, BATCH, allSince));
    promised += page;
    if (!all || page === 0 || isStopping()) return promised;
  }
}
