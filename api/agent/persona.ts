import type { Queries } from '../../db/database.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { TenantScope } from '../../domain/scope.ts';

/** The tenant's persona over what an agent is before anybody has set it up. */
export async function findPersona(queries: Queries, scope: TenantScope, modelIds: readonly string[]): Promise<Persona> {
  const tenant = await findTenant(queries, scope);
  return { ...defaultPersona(modelIds[0] ?? ''), ...tenant?.persona };
}
