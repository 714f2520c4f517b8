import { IdRow } from './columns.ts';
import { row, run } from './rows.ts';
import type { Queries, Tx } from './tx.ts';

/** The namespace whose store our promises went to; null before there is one. */
export async function findTemporalStore(queries: Queries): Promise<string | null> {
  const found = await row(queries, IdRow)`select namespace_id as id from temporal_store`;
  return found?.id ?? null;
}

/** Written when everything has been promised to that store. */
export async function recordTemporalStore(tx: Tx, namespaceId: string): Promise<void> {
  await run(tx)`
    insert into temporal_store (namespace_id) values (${namespaceId})
    on conflict (one) do update set namespace_id = excluded.namespace_id`;
}
