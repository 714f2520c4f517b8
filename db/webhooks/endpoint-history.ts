import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** The person who decides about an endpoint, by the name that an operator gives or by the key that was used. */
export interface Actor {
  actor: string;
  reason: string | null;
  keyId: string | null;
  /** The id of the request; a repeated request is recorded once. */
  requestId?: string;
}

const DecidedRow = z.object({ at: Timestamp });

/** Records a decision and returns its time; a repeated decision has the time of the first. */
export async function insertEndpointHistory(
  tx: Tx,
  endpointId: string,
  entry: { action: string; by: Actor; detail?: object },
): Promise<Date> {
  const { action, by, detail } = entry;
  const found = await row(tx, DecidedRow)`
    insert into endpoint_history as h (endpoint_id, at, action, actor, key_id, reason, request_id, detail)
    values (${endpointId}, ${tx.now}, ${action}, ${by.actor}, ${by.keyId}, ${by.reason}, ${by.requestId ?? null},
      ${detail === undefined ? null : JSON.stringify(detail)}::jsonb)
    on conflict (endpoint_id, request_id) where request_id is not null
    do update set detail = coalesce(excluded.detail, h.detail)
    returning at`;
  return found?.at ?? tx.now;
}

/** True when this request was decided before. */
export async function isDecided(queries: Queries, endpointId: string, requestId: string): Promise<boolean> {
  const count = await run(queries)`
    select 1 from endpoint_history where endpoint_id = ${endpointId} and request_id = ${requestId}`;
  return count > 0;
}

const HistoryRow = z.object({
  at: Timestamp,
  action: z.string(),
  actor: z.string().nullable(),
  keyId: z.string().nullable(),
  reason: z.string().nullable(),
});
export type HistoryEntry = z.output<typeof HistoryRow>;

const SHOWN = 20;

/** Lists an endpoint's history, the newest first. */
export async function listEndpointHistory(queries: Queries, endpointId: string): Promise<HistoryEntry[]> {
  return rows(queries, HistoryRow)`
    select at, action, actor, key_id as "keyId", reason from endpoint_history where endpoint_id = ${endpointId}
    order by id desc limit ${SHOWN}`;
}
