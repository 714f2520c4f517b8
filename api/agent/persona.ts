import type { Queries } from '../../db/engine/tx.ts';
import { findTenant } from '../../db/tenants/tenant.ts';
import { invalid } from '../../domain/error.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { TenantScope } from '../../domain/scope.ts';

/** Reads the tenant's persona; the default fills in what the tenant has not set. */
export async function findPersona(queries: Queries, scope: TenantScope, modelIds: readonly string[]): Promise<Persona> {
  const tenant = await findTenant(queries, scope);
  return { ...defaultPersona(modelIds[0] ?? ''), ...tenant?.persona };
}

export function refuseUnknownModel(modelIds: readonly string[], choice: string | undefined, pointer: string): void {
  if (choice === undefined || modelIds.includes(choice)) return;
  const wrong = { pointer, message: 'is not a configured model' };
  throw invalid(wrong, `Choose one of the configured models: ${modelIds.join(', ')}.`);
}
