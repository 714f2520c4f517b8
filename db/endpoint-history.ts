import { sql } from 'kysely';
import type { Queries, Tx } from './database.ts';

/** Who decides something about an endpoint: as claimed by an operator, or by the key that was used. */
export interface Actor {
  actor: string;
  reason: string | null;
  keyId: string | null;
}

export async function insertEndpointHistory(
  tx: Tx,
  endpointId: string,
  entry: { action: string; by: Actor; detail?: object },
): Promise<void> {
  const { action, by, detail } = entry;
  await sql`
    insert into endpoint_history (endpoint_id, at, action, actor, key_id, reason, detail)
    values (${endpointId}, ${tx.now}, ${action}, ${by.actor}, ${by.keyId}, ${by.reason},
      ${detail === undefined ? null : JSON.stringify(detail)}::jsonb)`.execute(tx.sql);
}

export interface HistoryEntry {
  at: Date;
  action: string;
  actor: string | null;
  reason: string | null;
}

const SHOWN = 20;

/** The newest first. */
export async function listEndpointHistory(queries: Queries, endpointId: string): Promise<HistoryEntry[]> {
  const { rows } = await sql<Omit<HistoryEntry, 'at'> & { at: string }>`
    select at, action, actor, reason from endpoint_history where endpoint_id = ${endpointId}
    order by id desc limit ${SHOWN}`.execute(queries.sql);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
