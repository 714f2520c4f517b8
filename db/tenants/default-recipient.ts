import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const DefaultRow = z.object({ recipient: z.string().nullable() });

/**
 * Reads whom a send goes to that names nobody: the key's own recipient, else the tenant's; null when neither has one.
 * It is a contactId or a canonical chat id.
 */
export async function findDefaultRecipient(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  keyId: string,
): Promise<string | null> {
  const { recipient } = await one(queries, DefaultRow)`
    select coalesce(
      (select default_recipient from api_key
        where id = ${keyId} and agency_id = ${agencyId} and tenant_id = ${tenantId}),
      (select settings->>'defaultRecipient' from tenant where agency_id = ${agencyId} and id = ${tenantId})
    ) as recipient`;
  return recipient;
}
