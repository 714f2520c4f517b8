import { sql } from 'kysely';
import type { Queries, Tx } from './tx.ts';

/** The namespace whose store our promises went to; null before there is one. */
export async function findTemporalStore(queries: Queries): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select namespace_id as id from temporal_store`.execute(queries.sql);
  return rows[0]?.id ?? null;
}

/** Written when everything has been promised to that store. */
export async function recordTemporalStore(tx: Tx, namespaceId: string): Promise<void> {
  await sql`
    insert into temporal_store (namespace_id) values (${namespaceId})
    on conflict (one) do update set namespace_id = excluded.namespace_id`.execute(tx.sql);
}
