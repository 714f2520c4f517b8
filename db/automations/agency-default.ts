import { sql } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { ChangeRow, noteChanges } from './automation.ts';
import { holdDefaults } from './lock-defaults.ts';
import type { AutomationChange, AutomationSetting } from './automation.ts';

const DefaultRow = z.object({
  definition: z.string(),
  enabled: z.boolean(),
  params: z.record(z.string(), z.unknown()),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
/** An agency's setting of an automation for all its tenants. */
export type AutomationDefaultRow = z.output<typeof DefaultRow>;

const COLUMNS = sql`definition, enabled, params, version, created_at as "createdAt", updated_at as "updatedAt"`;

/** Lists what an agency has set for all its tenants, by name. */
export async function listDefaults(queries: Queries, agencyId: string): Promise<AutomationDefaultRow[]> {
  return rows(queries, DefaultRow)`
    select ${COLUMNS}
    from automation_default where agency_id = ${agencyId} order by definition`;
}

export async function findDefault(
  queries: Queries,
  agencyId: string,
  definition: string,
): Promise<AutomationDefaultRow | undefined> {
  return row(queries, DefaultRow)`
    select ${COLUMNS} from automation_default where agency_id = ${agencyId} and definition = ${definition}`;
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
 * later. Setting what is set already changes nothing, and makes no version. The caller has locked the defaults.
 */
export async function setDefault(
  tx: Tx,
  agencyId: string,
  { definition, enabled, params, trigger, keyId }: AutomationSetting,
): Promise<AutomationDefaultRow> {
  const changed = await row(tx, DefaultRow)`
    insert into automation_default as d (agency_id, definition, enabled, params, trigger, version, created_at,
      updated_at)
    values (${agencyId}, ${definition}, ${enabled}, ${JSON.stringify(params)}::jsonb, ${JSON.stringify(trigger)}::jsonb,
      1, ${tx.now}, ${tx.now})
    on conflict (agency_id, definition) do update set enabled = excluded.enabled, params = excluded.params,
      trigger = excluded.trigger, version = d.version + 1, updated_at = excluded.updated_at
    where (d.enabled, d.params, d.trigger) is distinct from (excluded.enabled, excluded.params, excluded.trigger)
    returning ${COLUMNS}`;
  return noted(tx, { agencyId, definition, keyId }, changed);
}

/** Switches an automation off for all that follow, and leaves its parameters as they are, whatever became of them. */
export async function switchDefaultOff(
  tx: Tx,
  agencyId: string,
  { definition, keyId }: Pick<AutomationSetting, 'definition' | 'keyId'>,
): Promise<AutomationDefaultRow> {
  const changed = await row(tx, DefaultRow)`
    update automation_default set enabled = false, version = version + 1, updated_at = ${tx.now}
    where agency_id = ${agencyId} and definition = ${definition} and enabled
    returning ${COLUMNS}`;
  return noted(tx, { agencyId, definition, keyId }, changed);
}

interface SetBy {
  agencyId: string;
  definition: string;
  keyId: string;
}

/** Writes a change of a default to its history and to the tenants that follow; answers the default as it is now. */
async function noted(tx: Tx, by: SetBy, changed: AutomationDefaultRow | undefined): Promise<AutomationDefaultRow> {
  const { agencyId, definition, keyId } = by;
  if (!changed) {
    return one(tx, DefaultRow)`
      select ${COLUMNS} from automation_default where agency_id = ${agencyId} and definition = ${definition}`;
  }
  const { version, enabled, params } = changed;
  await run(tx)`
    insert into automation_default_change (agency_id, definition, version, enabled, params, at, key_id)
    values (${agencyId}, ${definition}, ${version}, ${enabled}, ${JSON.stringify(params)}::jsonb, ${tx.now}, ${keyId})`;
  await passOn(tx, by);
  return changed;
}

const IdRow = z.object({ id: z.string() });

/** Writes what an agency has set of an automation to every tenant that has set nothing of its own. */
async function passOn(tx: Tx, { agencyId, definition, keyId }: SetBy): Promise<void> {
  // A tenant that is being imported gets its automations from its file, and nothing is begun by an import.
  const tenants = await rows(tx, IdRow)`
    select t.id from tenant t where t.agency_id = ${agencyId}
      and not exists (select 1 from tenant_import i
        where i.agency_id = t.agency_id and i.tenant_id = t.id and i.ended_at is null)
    order by t.id`;
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
export async function followDefaults(tx: Tx, scope: TenantScope): Promise<void> {
  if (await writeDefaults(tx, scope, { isOn: true })) tx.wake('automation', scope.agencyId);
}

/**
 * Gives a tenant that was imported what its agency has set for all and its file says nothing of: switched off, and its
 * own, because nothing is begun by an import. The agency's holds as soon as somebody gives it back.
 */
export async function holdBackDefaults(tx: Tx, scope: TenantScope): Promise<void> {
  await writeDefaults(tx, scope, { isOn: false });
}

/** Writes the defaults of an agency that a tenant has no row of; answers whether there were any. */
async function writeDefaults(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  { isOn }: { isOn: boolean },
): Promise<boolean> {
  await holdDefaults(tx, agencyId);
  const names = await rows(tx, NameRow)`
    select definition from automation_default where agency_id = ${agencyId} order by definition`;
  if (names.length === 0) return false;
  const made = names.map(({ definition }) => ({ definition, id: newId('aut') }));
  await run(tx)`
    with followed as (
      insert into automation (id, agency_id, tenant_id, definition, enabled, params, trigger, follows_agency, version,
        created_at, updated_at)
      select m.id, d.agency_id, ${tenantId}, d.definition, d.enabled and ${isOn}, d.params, d.trigger, ${isOn}, 1,
        ${tx.now}, ${tx.now}
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as m(id text, definition text)
      join automation_default d on d.agency_id = ${agencyId} and d.definition = m.definition
      on conflict (agency_id, tenant_id, definition) do nothing
      returning id, definition, version, enabled, params, follows_agency
    )
    insert into automation_change (automation_id, version, enabled, params, at, key_id, follows_agency)
    select f.id, f.version, f.enabled, f.params, ${tx.now}, c.key_id, f.follows_agency
    from followed f join automation_default d on d.agency_id = ${agencyId} and d.definition = f.definition
    join automation_default_change c
      on c.agency_id = d.agency_id and c.definition = d.definition and c.version = d.version`;
  return true;
}
