import { sql } from 'kysely';
import { z } from 'zod';
import type { Configured } from '../../domain/automations/definition.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../columns.ts';
import { newId } from '../new-id.ts';
import { one, row, rows, run } from '../rows.ts';
import { promise } from '../promises.ts';
import type { Queries, Tx } from '../tx.ts';

const AutomationRow = z.object({
  id: z.string(),
  definition: z.string(),
  enabled: z.boolean(),
  params: z.record(z.string(), z.unknown()),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type AutomationRow = z.output<typeof AutomationRow>;

const ChangeRow = AutomationRow.pick({ version: true, enabled: true, params: true }).extend({
  at: Timestamp,
  keyId: z.string().nullable(),
});
export type AutomationChange = z.output<typeof ChangeRow>;

export async function listAutomations(queries: Queries, { agencyId, tenantId }: TenantScope): Promise<AutomationRow[]> {
  return rows(queries, AutomationRow)`
    select id, definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"
    from automation where agency_id = ${agencyId} and tenant_id = ${tenantId} order by definition`;
}

export async function findAutomation(
  queries: Queries,
  scope: TenantScope,
  definition: string,
): Promise<AutomationRow | undefined> {
  return (await listAutomations(queries, scope)).find((each) => each.definition === definition);
}

/** Lists what an automation was before, the newest first. */
export async function listChanges(queries: Queries, automationId: string, limit: number): Promise<AutomationChange[]> {
  return rows(queries, ChangeRow)`
    select version, enabled, params, at, key_id as "keyId" from automation_change
    where automation_id = ${automationId} order by version desc limit ${limit}`;
}

/** What a tenant sets of an automation. */
export interface AutomationSetting extends Configured {
  definition: string;
  enabled: boolean;
  keyId: string;
}

/** Sets an automation of a tenant. Setting what is set already changes nothing, and makes no version. */
export async function setAutomation(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { definition, enabled, params, trigger, keyId }: AutomationSetting,
): Promise<AutomationRow> {
  const changed = await row(tx, AutomationRow)`
    insert into automation as a (id, agency_id, tenant_id, definition, enabled, params, trigger, version, created_at,
      updated_at)
    values (${newId('aut')}, ${agencyId}, ${tenantId}, ${definition}, ${enabled}, ${JSON.stringify(params)}::jsonb,
      ${JSON.stringify(trigger)}::jsonb, 1, ${tx.now}, ${tx.now})
    on conflict (agency_id, tenant_id, definition) do update set enabled = excluded.enabled, params = excluded.params,
      trigger = excluded.trigger, version = a.version + 1, updated_at = excluded.updated_at
    where (a.enabled, a.params, a.trigger) is distinct from (excluded.enabled, excluded.params, excluded.trigger)
    returning id, definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"`;
  if (changed) {
    await run(tx)`
      insert into automation_change (automation_id, version, enabled, params, at, key_id)
      values (${changed.id}, ${changed.version}, ${enabled}, ${JSON.stringify(params)}::jsonb, ${tx.now}, ${keyId})`;
    tx.wake('automation', agencyId);
    if (!enabled) await tellRunning(tx, changed.id);
    return changed;
  }
  return one(tx, AutomationRow)`
    select id, definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"
    from automation
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and definition = ${definition}`;
}

/**
 * Has the runs of an automation look again, which end where it is switched off. Those in line see it when they begin.
 */
async function tellRunning(tx: Tx, automationId: string): Promise<void> {
  await promise(tx, 'runAutomation', {
    which: sql`r.automation_id = ${automationId} and r.status = 'running' and r.promised_at is not null`,
    signal: 'changed',
  });
}
