import { z } from 'zod';
import type { Reach } from '../domain/scope.ts';
import { Timestamp } from './engine/columns.ts';
import { rows, run } from './engine/rows.ts';
import type { Queries, Tx } from './engine/tx.ts';

const ProxiedRow = z.object({
  at: Timestamp,
  requestId: z.string(),
  keyId: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  method: z.string(),
  route: z.string(),
  status: z.int(),
  durationMs: z.int(),
  requestBytes: z.int(),
  responseBytes: z.int(),
});

/**
 * The record of a request that was passed on to the backend: who made it, which and how long it took; never bodies,
 * keys, addresses or the values of a query.
 */
export type ProxiedRequest = z.output<typeof ProxiedRow>;

export async function insertProxiedRequests(tx: Tx, entries: readonly ProxiedRequest[]): Promise<void> {
  if (entries.length === 0) return;
  await run(tx)`
    insert into request_log (at, request_id, key_id, agency_id, tenant_id, session_id, method, route, status,
      duration_ms, request_bytes, response_bytes)
    select at, "requestId", "keyId", "agencyId", "tenantId", "sessionId", method, route, status, "durationMs",
      "requestBytes", "responseBytes"
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(at timestamptz, "requestId" text, "keyId" text,
      "agencyId" text, "tenantId" text, "sessionId" text, method text, route text, status integer,
      "durationMs" integer, "requestBytes" bigint, "responseBytes" bigint)`;
}

/** The place of a request in the list, which goes from the newest to the oldest. */
export interface RequestPlace {
  at: Date;
  requestId: string;
}

/** Lists what was passed on for an agency, a tenant or a session, the newest first. */
export async function listProxiedRequests(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Reach,
  page: { sessionId: string | null; before: RequestPlace | null; limit: number },
): Promise<ProxiedRequest[]> {
  const { before } = page;
  return rows(queries, ProxiedRow)`
    select at, request_id as "requestId", coalesce(key_id, '') as "keyId", agency_id as "agencyId",
      tenant_id as "tenantId", session_id as "sessionId", method, route, status, duration_ms as "durationMs",
      request_bytes::float8 as "requestBytes", response_bytes::float8 as "responseBytes"
    from request_log
    where agency_id = ${agencyId} and (${tenantId}::text is null or tenant_id = ${tenantId})
      and (${sessionId}::text is null or session_id = ${sessionId})
      and (${page.sessionId}::text is null or session_id = ${page.sessionId})
      and (${before?.at ?? null}::timestamptz is null
        or (at, request_id) < (${before?.at ?? null}::timestamptz, ${before?.requestId ?? ''}))
    order by at desc, request_id desc limit ${page.limit}`;
}
