import { sql } from 'kysely';
import { z } from 'zod';
import type { Configured } from '../../domain/automations/definition.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import { promise } from '../promises.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { holdDefaults } from './lock-defaults.ts';

const AutomationRow = z.object({
  id: z.string(),
  definition: z.string(),
  enabled: z.boolean(),
  params: z.record(z.string(), z.unknown()),
  version: z.int(),
  followsAgency: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type AutomationRow = z.output<typeof AutomationRow>;

const COLUMNS = sql`a.id, a.definition, a.enabled, a.params, a.version, a.follows_agency as "followsAgency",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

export const ChangeRow = AutomationRow.pick({ version: true, enabled: true, params: true }).extend({
  at: Timestamp,
  keyId: z.string().nullable(),
});
export type AutomationChange = z.output<typeof ChangeRow>;

export async function listAutomations(queries: Queries, { agencyId, tenantId }: TenantScope): Promise<AutomationRow[]> {
  return rows(queries, AutomationRow)`
    select ${COLUMNS} from automation a where agency_id = ${agencyId} and tenant_id = ${tenantId} order by definition`;
}

export async function findAutomation(
  queries: Queries,
  scope: TenantScope,
  definition: string,
): Promise<AutomationRow | undefined> {
  const { agencyId, tenantId } = scope;
  return row(queries, AutomationRow)`
    select ${COLUMNS} from automation a
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.definition = ${definition}`;
}

/**
 * Finds an automation that is about to be set. Nobody else sets it meanwhile, neither for the tenant nor for all
 * tenants of the agency, so that what is found is what is replaced.
 */
export async function lockAutomation(
  tx: Tx,
  scope: TenantScope,
  definition: string,
): Promise<AutomationRow | undefined> {
  const { agencyId, tenantId } = scope;
  await holdDefaults(tx, agencyId);
  return row(tx, AutomationRow)`
    select ${COLUMNS} from automation a
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.definition = ${definition} for update`;
}

const TenantChangeRow = ChangeRow.extend({ followsAgency: z.boolean() });

/** Lists what an automation was before, the newest first. */
export async function listChanges(
  queries: Queries,
  automationId: string,
  limit: number,
): Promise<z.output<typeof TenantChangeRow>[]> {
  return rows(queries, TenantChangeRow)`
    select version, enabled, params, at, key_id as "keyId", follows_agency as "followsAgency" from automation_change
    where automation_id = ${automationId} order by version desc limit ${limit}`;
}

/** A tenant's setting of an automation. */
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
      trigger = excluded.trigger, follows_agency = false, version = a.version + 1,
      -- Waits for a silence count from here, so an unchanged setting must move nothing.
      updated_at = case when (a.enabled, a.params, a.trigger) is distinct from
        (excluded.enabled, excluded.params, excluded.trigger) then excluded.updated_at else a.updated_at end
    where a.follows_agency
      or (a.enabled, a.params, a.trigger) is distinct from (excluded.enabled, excluded.params, excluded.trigger)
    returning ${COLUMNS}`;
  if (changed) {
    await noteChanges(tx, { agencyId, keyId, automationIds: [changed.id] });
    return changed;
  }
  return one(tx, AutomationRow)`
    select ${COLUMNS} from automation a
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and definition = ${definition}`;
}

/**
 * Switches an automation of a tenant off and leaves its parameters as they are, also where they would be refused by
 * now: whatever became of an endpoint that they name, it must be possible to stop it.
 */
export async function switchOff(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { definition, keyId }: Pick<AutomationSetting, 'definition' | 'keyId'>,
): Promise<AutomationRow> {
  const changed = await row(tx, AutomationRow)`
    update automation a set enabled = false, follows_agency = false, version = a.version + 1,
      updated_at = case when a.enabled then ${tx.now} else a.updated_at end
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.definition = ${definition}
      and (a.enabled or a.follows_agency)
    returning ${COLUMNS}`;
  if (changed) {
    await noteChanges(tx, { agencyId, keyId, automationIds: [changed.id] });
    return changed;
  }
  return one(tx, AutomationRow)`
    select ${COLUMNS} from automation a
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and definition = ${definition}`;
}

/**
 * Gives an automation of a tenant back to its agency: it is as the agency has set it, or off where the agency has set
 * nothing. Undefined where neither has ever set it.
 */
export async function followAgency(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { definition, keyId }: Pick<AutomationSetting, 'definition' | 'keyId'>,
): Promise<AutomationRow | undefined> {
  await holdDefaults(tx, agencyId);
  const changed = await row(tx, AutomationRow)`
    with given as (
      update automation a set follows_agency = true, enabled = coalesce(d.enabled, false),
        params = coalesce(d.params, a.params), trigger = coalesce(d.trigger, a.trigger), version = a.version + 1,
        updated_at = case when (a.enabled, a.params, a.trigger) is distinct from
          (coalesce(d.enabled, false), coalesce(d.params, a.params), coalesce(d.trigger, a.trigger))
          then ${tx.now} else a.updated_at end
      -- There may be no default, and an update that joins none would change nothing.
      from (select 1) once left join automation_default d
        on d.agency_id = ${agencyId} and d.definition = ${definition}
      where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.definition = ${definition}
        and not a.follows_agency
      returning a.*
    ), made as (
      -- A tenant that was imported has no row of what only the agency has set.
      insert into automation (id, agency_id, tenant_id, definition, enabled, params, trigger, follows_agency, version,
        created_at, updated_at)
      select ${newId('aut')}, d.agency_id, t.id, d.definition, d.enabled, d.params, d.trigger, true, 1, ${tx.now},
        ${tx.now}
      from automation_default d join tenant t on t.agency_id = d.agency_id and t.id = ${tenantId}
      where d.agency_id = ${agencyId} and d.definition = ${definition}
      on conflict (agency_id, tenant_id, definition) do nothing
      returning *
    )
    select ${COLUMNS} from (select * from given union all select * from made) a`;
  if (!changed) return findAutomation(tx, { agencyId, tenantId }, definition);
  await noteChanges(tx, { agencyId, keyId, automationIds: [changed.id] });
  return changed;
}

/**
 * Records what was set, has all processes read it, and has the runs of what was switched off look again, so that they
 * end. Waiting runs see it when they begin.
 */
export async function noteChanges(
  tx: Tx,
  { agencyId, keyId, automationIds }: { agencyId: string; keyId: string; automationIds: readonly string[] },
): Promise<void> {
  if (automationIds.length === 0) return;
  await run(tx)`
    insert into automation_change (automation_id, version, enabled, params, at, key_id, follows_agency)
    select id, version, enabled, params, ${tx.now}, ${keyId}, follows_agency from automation
    where agency_id = ${agencyId} and id = any(${[...automationIds]}::text[])`;
  tx.wake('automation', agencyId);
  await promise(tx, 'runAutomation', {
    which: sql`r.automation_id in (select id from automation where agency_id = ${agencyId}
      and id = any(${[...automationIds]}::text[]) and not enabled)
      and r.status = 'running' and r.promised_at is not null`,
    signal: 'changed',
  });
}
