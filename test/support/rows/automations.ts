import { ensureRow } from './statements.ts';
import type { Held } from './statements.ts';
import { databaseNow, json } from './values.ts';

/** Adds an automation that is switched on, unless the tenant has it. */
export async function ensureAutomation(
  held: Held,
  { agencyId, tenantId }: { agencyId: string; tenantId: string },
  { id, definition }: { id: string; definition: string },
): Promise<void> {
  await ensureRow(held, 'automation', {
    agencyId,
    tenantId,
    id,
    definition,
    enabled: true,
    params: json({}),
    trigger: json({}),
    version: 1,
    createdAt: databaseNow,
    updatedAt: databaseNow,
  });
}
