import { run } from './rows.ts';
import type { Tx } from './tx.ts';

/**
 * One request that was passed on to the backend: who, what and how long; never bodies or keys, nor paths and queries,
 * which name people.
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
    insert into request_log (request_id, key_id, agency_id, tenant_id, session_id, method, route, status, duration_ms, response_bytes)
    values (${entry.requestId}, ${entry.keyId}, ${entry.agencyId}, ${entry.tenantId}, ${entry.sessionId}, ${entry.method},
      ${entry.route}, ${entry.status}, ${Math.round(entry.durationMs)}, ${entry.responseBytes})`;
}
