import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { one } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { lockTenant } from './session.ts';

const CountRow = z.object({ count: z.int() });

/** Tells whether the tenant has exactly one session; no other one begins before the transaction ends. */
export async function isOnlySession(tx: Tx, scope: TenantScope): Promise<boolean> {
  return (await countSessions(tx, scope)) === 1;
}

/** Counts the sessions of a tenant, which stay as many until the transaction ends. */
export async function countSessions(tx: Tx, scope: TenantScope): Promise<number> {
  await lockTenant(tx, scope);
  const { agencyId, tenantId } = scope;
  const { count } = await one(tx, CountRow)`
    select count(*)::int as count from session
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and wish <> 'deleted'`;
  return count;
}
