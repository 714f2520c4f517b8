import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { rows } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

const KeyRow = z.object({ id: z.string(), name: z.string(), sessionId: z.string() });

/** Lists the working keys of a tenant's sessions that may set its agent, the oldest first. */
export async function listAiAdminKeys(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<z.output<typeof KeyRow>[]> {
  return rows(tx, KeyRow)`
    select id, name, session_id as "sessionId" from api_key
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and kind = 'session' and 'ai:admin' = any(scopes)
      and key_works(id, ${tx.now})
    order by created_at, id limit 100`;
}
