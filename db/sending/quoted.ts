import type { Scope } from '../../domain/scope.ts';
import { IdRow } from '../columns.ts';
import { row } from '../rows.ts';
import type { Queries } from '../tx.ts';

/** Finds a message of the session by the id that the network gave it. */
export async function findMessageIdByNetworkId(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope & { sessionId: string },
  networkId: string,
): Promise<string | null> {
  const found = await row(queries, IdRow)`
    select id from message
    where session_id = ${sessionId} and direction in ('in', 'out') and network_id = ${networkId}
      and (agency_id, tenant_id) is not distinct from (${agencyId}, ${tenantId})
    limit 1`;
  return found?.id ?? null;
}
