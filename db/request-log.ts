import { run } from './rows.ts';
import type { Tx } from './tx.ts';

/**
 * The record of a request that was passed on to the backend: who made it, which and how long it took; never bodies,
 * keys or addresses.
 */
export interface ProxiedRequest {
  requestId: string;
  keyId: string;
  agencyId: string;
  tenantId: string;
  sessionId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  responseBytes: number;
}

export async function insertProxiedRequest(tx: Tx, entry: ProxiedRequest): Promise<void> {
  await run(tx)`
    insert into request_log (request_id, key_id, agency_id, tenant_id, session_id, method, route, status, duration_ms,
      response_bytes)
    values (${entry.requestId}, ${entry.keyId}, ${entry.agencyId}, ${entry.tenantId}, ${entry.sessionId},
      ${entry.method}, ${entry.route}, ${entry.status}, ${Math.round(entry.durationMs)}, ${entry.responseBytes})`;
}
