import { IdRow } from './columns.ts';
import { row, run } from './rows.ts';
import type { Queries, Tx } from './tx.ts';

/** Reads the id of the Temporal namespace to whose store our promises went; null before the first. */
export async function findTemporalStore(queries: Queries): Promise<string | null> {
  const found = await row(queries, IdRow)`select namespace_id as id from temporal_store`;
  return found?.id ?? null;
}

/** Records the namespace; the caller has promised everything to its store before. */
export async function recordTemporalStore(tx: Tx, namespaceId: string): Promise<void> {
  await run(tx)`
    insert into temporal_store (namespace_id) values (${namespaceId})
    on conflict (one) do update set namespace_id = excluded.namespace_id`;
}
