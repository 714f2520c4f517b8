import { ensureTenant } from '../db/tenants/tenant.ts';
import type { Tx } from '../db/engine/tx.ts';
import { EngineError } from '../domain/error.ts';
import type { TenantScope } from '../domain/scope.ts';

/** Makes the tenant with its first session or setting, or refuses another one of an agency that has enough. */
export async function requireTenant(tx: Tx, scope: TenantScope): Promise<void> {
  if (await ensureTenant(tx, scope)) return;
  throw new EngineError('tenant_limit', 'The agency has reached its limit of tenants: ask the operator for more.');
}
