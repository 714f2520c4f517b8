import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { OldSecret } from '../webhooks/endpoint-secrets.ts';

const CallableRow = z.object({
  id: z.string(),
  url: z.string(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  headers: z.instanceof(Buffer).nullable(),
  timeoutMs: z.int(),
});

/**
 * Finds an endpoint that an automation of the tenant may call now: it is active, and serves the tenant. One that a
 * session's key has made is for that session's tool alone, so none is called.
 */
export async function findCallable(queries: Pick<Queries, 'sql'>, scope: TenantScope, id: string) {
  const { agencyId, tenantId } = scope;
  return row(queries, CallableRow)`
    select id, url, secret, old_secrets as "oldSecrets", headers, timeout_ms as "timeoutMs" from endpoint
    where id = ${id} and agency_id = ${agencyId} and (tenant_ids is null or ${tenantId} = any(tenant_ids))
      and session_id is null and deleted_at is null and status = 'active'`;
}

const IdRow = z.object({ id: z.string() });

/**
 * Which of these ids are endpoints that serve the tenant, or all tenants of the agency where none is named, and no one
 * session, whether or not they take calls now.
 */
export async function endpointsOf(
  queries: Pick<Queries, 'sql'>,
  { agencyId, tenantId }: { agencyId: string; tenantId: string | null },
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = await rows(queries, IdRow)`
    select id from endpoint
    where id = any(${ids}::text[]) and agency_id = ${agencyId}
      and (tenant_ids is null or ${tenantId}::text = any(tenant_ids)) and session_id is null and deleted_at is null`;
  return new Set(found.map(({ id }) => id));
}
