import { sql } from 'kysely';
import type { Queries, Tx } from '../tx.ts';

/** The person who decides about an endpoint: by the name that an operator claims, or by the key that was used. */
export interface Actor {
  actor: string;
  reason: string | null;
  keyId: string | null;
  /** Repeating a request id does nothing. */
  requestId?: string;
}

/** Returns the time of the decision; a repeated one has the time of the first. */
export async function insertEndpointHistory(
  tx: Tx,
  endpointId: string,
  entry: { action: string; by: Actor; detail?: object },
): Promise<Date> {
  const { action, by, detail } = entry;
  const { rows } = await sql<{ at: string }>`
    insert into endpoint_history as h (endpoint_id, at, action, actor, key_id, reason, request_id, detail)
    values (${endpointId}, ${tx.now}, ${action}, ${by.actor}, ${by.keyId}, ${by.reason}, ${by.requestId ?? null},
      ${detail === undefined ? null : JSON.stringify(detail)}::jsonb)
    on conflict (endpoint_id, request_id) where request_id is not null do update set detail = coalesce(excluded.detail, h.detail)
    returning at`.execute(tx.sql);
  return new Date(rows[0]?.at ?? tx.now);
}

/** True where this request was decided before. */
export async function isDecided(queries: Queries, endpointId: string, requestId: string): Promise<boolean> {
  const { rows } = await sql<object>`
    select 1 from endpoint_history where endpoint_id = ${endpointId} and request_id = ${requestId}`.execute(
    queries.sql,
  );
  return rows.length > 0;
}

export interface HistoryEntry {
  at: Date;
  action: string;
  actor: string | null;
  keyId: string | null;
  reason: string | null;
}

const SHOWN = 20;

/** Lists the newest first. */
export async function listEndpointHistory(queries: Queries, endpointId: string): Promise<HistoryEntry[]> {
  const { rows } = await sql<Omit<HistoryEntry, 'at'> & { at: string }>`
    select at, action, actor, key_id as "keyId", reason from endpoint_history where endpoint_id = ${endpointId}
    order by id desc limit ${SHOWN}`.execute(queries.sql);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
