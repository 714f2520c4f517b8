import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../columns.ts';
import { newId } from '../new-id.ts';
import { one, row, rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { ChangeRow, lockDefaults, noteChanges } from './automation.ts';
import type { AutomationChange, AutomationSetting } from './automation.ts';

const DefaultRow = z.object({
  definition: z.string(),
  enabled: z.boolean(),
  params: z.record(z.string(), z.unknown()),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
/** What an agency has set of an automation for all its tenants. */
export type AutomationDefaultRow = z.output<typeof DefaultRow>;

/** Lists what an agency has set for all its tenants, by name. */
export async function listDefaults(queries: Queries, agencyId: string): Promise<AutomationDefaultRow[]> {
  return rows(queries, DefaultRow)`
    select definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"
    from automation_default where agency_id = ${agencyId} order by definition`;
}

export async function findDefault(
  queries: Queries,
  agencyId: string,
  definition: string,
): Promise<AutomationDefaultRow | undefined> {
  return (await listDefaults(queries, agencyId)).find((each) => each.definition === definition);
}

/** Lists what a default was before, the newest first. */
export async function listDefaultChanges(
  queries: Queries,
  { agencyId, definition }: { agencyId: string; definition: string },
  limit: number,
): Promise<AutomationChange[]> {
  return rows(queries, ChangeRow)`
    select version, enabled, params, at, key_id as "keyId" from automation_default_change
    where agency_id = ${agencyId} and definition = ${definition} order by version desc limit ${limit}`;
}

const FollowerRow = z.object({ followers: z.int() });

/** Counts the tenants for which an automation is as the agency has set it. */
export async function countFollowers(queries: Queries, agencyId: string, definition: string): Promise<number> {
  const { followers } = await one(queries, FollowerRow)`
    select count(*)::int as followers from automation
    where agency_id = ${agencyId} and definition = ${definition} and follows_agency`;
  return followers;
}

/**
 * Sets an automation for all tenants of an agency but those that have set it themselves, also for tenants that come
 * later. Setting what is set already changes nothing, and makes no version.
 */
export async function setDefault(
  tx: Tx,
  agencyId: string,
  { definition, enabled, params, trigger, keyId }: AutomationSetting,
): Promise<AutomationDefaultRow> {
  await lockDefaults(tx, agencyId);
  const changed = await row(tx, DefaultRow)`
    insert into automation_default as d (agency_id, definition, enabled, params, trigger, version, created_at,
      updated_at)
    values (${agencyId}, ${definition}, ${enabled}, ${JSON.stringify(params)}::jsonb, ${JSON.stringify(trigger)}::jsonb,
      1, ${tx.now}, ${tx.now})
    on conflict (agency_id, definition) do update set enabled = excluded.enabled, params = excluded.params,
      trigger = excluded.trigger, version = d.version + 1, updated_at = excluded.updated_at
    where (d.enabled, d.params, d.trigger) is distinct from (excluded.enabled, excluded.params, excluded.trigger)
    returning definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"`;
  if (!changed) {
    return one(tx, DefaultRow)`
      select definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"
      from automation_default where agency_id = ${agencyId} and definition = ${definition}`;
  }
  await run(tx)`
    insert into automation_default_change (agency_id, definition, version, enabled, params, at, key_id)
    values (${agencyId}, ${definition}, ${changed.version}, ${enabled}, ${JSON.stringify(params)}::jsonb, ${tx.now},
      ${keyId})`;
  await passOn(tx, { agencyId, definition, keyId });
  return changed;
}

const IdRow = z.object({ id: z.string() });

/** Writes what an agency has set of an automation to every tenant that has set nothing of its own. */
async function passOn(
  tx: Tx,
  { agencyId, definition, keyId }: { agencyId: string; definition: string; keyId: string },
): Promise<void> {
  const tenants = await rows(tx, IdRow)`select id from tenant where agency_id = ${agencyId} order by id`;
  const made = tenants.map(({ id }) => ({ tenantId: id, id: newId('aut') }));
  const passed = await rows(tx, IdRow)`
    insert into automation as a (id, agency_id, tenant_id, definition, enabled, params, trigger, follows_agency,
      version, created_at, updated_at)
    select m.id, d.agency_id, m."tenantId", d.definition, d.enabled, d.params, d.trigger, true, 1, ${tx.now}, ${tx.now}
    from automation_default d, jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m(id text, "tenantId" text)
    where d.agency_id = ${agencyId} and d.definition = ${definition}
    on conflict (agency_id, tenant_id, definition) do update set enabled = excluded.enabled, params = excluded.params,
      trigger = excluded.trigger, version = a.version + 1, updated_at = excluded.updated_at
    where a.follows_agency
    returning id`;
  await noteChanges(tx, { agencyId, keyId, automationIds: passed.map(({ id }) => id) });
}

const NameRow = z.object({ definition: z.string() });

/** Gives a new tenant what its agency has set for all. */
export async function followDefaults(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<void> {
  await lockDefaults(tx, agencyId);
  const names = await rows(tx, NameRow)`
    select definition from automation_default where agency_id = ${agencyId} order by definition`;
  if (names.length === 0) return;
  const made = names.map(({ definition }) => ({ definition, id: newId('aut') }));
  await run(tx)`
    with followed as (
      insert into automation (id, agency_id, tenant_id, definition, enabled, params, trigger, follows_agency, version,
        created_at, updated_at)
      select m.id, d.agency_id, ${tenantId}, d.definition, d.enabled, d.params, d.trigger, true, 1, ${tx.now},
        ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m(id text, definition text)
      join automation_default d on d.agency_id = ${agencyId} and d.definition = m.definition
      returning id, version, enabled, params
    )
    insert into automation_change (automation_id, version, enabled, params, at)
    select id, version, enabled, params, ${tx.now} from followed`;
  tx.wake('automation', agencyId);
}
