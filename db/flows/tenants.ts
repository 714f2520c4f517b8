import { z } from 'zod';
import type { Configured } from '../../domain/automations/definition.ts';
import type { FieldError } from '../../domain/errors/entry.ts';
import { noteChanges } from '../automations/automation.ts';
import { IdRow } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

interface Of {
  agencyId: string;
  automation: string;
  keyId: string;
}

const Params = z.record(z.string(), z.unknown());
const SetRow = z.object({ params: Params, ids: z.array(z.string()), tenants: z.array(z.string()) });
const DefaultRow = z.object({ params: Params });

const CountRow = z.object({ tenants: z.int() });

/** Counts the tenants that have an automation switched on, by themselves or by the agency's default. */
export async function countTenants(queries: Queries, agencyId: string, automation: string): Promise<number> {
  const { tenants } = await one(queries, CountRow)`
    select count(*)::int as tenants from automation
    where agency_id = ${agencyId} and definition = ${automation} and enabled`;
  return tenants;
}

/** A tenant whose parameters a new version refuses; null for the agency's default. */
export interface Refused {
  tenantId: string | null;
  wrong: FieldError[];
}

/**
 * Gives every tenant that has a workflow on its new version: what starts it, and the parameters with their new
 * defaults. It changes nothing and returns the first tenant whose parameters the version refuses. The caller has locked
 * the agency's defaults, so nobody sets the workflow meanwhile.
 */
export async function reconfigureTenants(
  tx: Tx,
  { agencyId, automation, keyId }: Of,
  configure: (params: unknown) => Configured | { wrong: FieldError[] },
): Promise<Refused | null> {
  const set = await rows(tx, SetRow)`
    select params, array_agg(id order by id) as ids, array_agg(tenant_id order by id) as tenants from automation
    where agency_id = ${agencyId} and definition = ${automation} and enabled group by params`;
  const forAll = await row(tx, DefaultRow)`
    select params from automation_default where agency_id = ${agencyId} and definition = ${automation} and enabled`;
  const changes: { ids: string[]; configured: Configured }[] = [];
  for (const { params, ids, tenants } of set) {
    const configured = configure(params);
    if ('wrong' in configured) return { tenantId: tenants[0] ?? null, wrong: configured.wrong };
    changes.push({ ids, configured });
  }
  const defaults = forAll && configure(forAll.params);
  if (defaults && 'wrong' in defaults) return { tenantId: null, wrong: defaults.wrong };
  for (const { ids, configured } of changes) await writeSetting(tx, { agencyId, keyId }, ids, configured);
  if (defaults) await writeDefault(tx, { agencyId, automation, keyId }, defaults);
  return null;
}

async function writeSetting(
  tx: Tx,
  { agencyId, keyId }: Omit<Of, 'automation'>,
  ids: readonly string[],
  { params, trigger }: Configured,
): Promise<void> {
  const changed = await rows(tx, IdRow)`
    update automation set params = ${JSON.stringify(params)}::jsonb, trigger = ${JSON.stringify(trigger)}::jsonb,
      version = version + 1, updated_at = ${tx.now}
    where agency_id = ${agencyId} and id = any(${[...ids]}::text[])
      and (params, trigger) is distinct from (${JSON.stringify(params)}::jsonb, ${JSON.stringify(trigger)}::jsonb)
    returning id`;
  await noteChanges(tx, { agencyId, keyId, automationIds: changed.map(({ id }) => id) });
}

async function writeDefault(tx: Tx, { agencyId, automation, keyId }: Of, { params, trigger }: Configured) {
  await run(tx)`
    with changed as (
      update automation_default set params = ${JSON.stringify(params)}::jsonb,
        trigger = ${JSON.stringify(trigger)}::jsonb, version = version + 1, updated_at = ${tx.now}
      where agency_id = ${agencyId} and definition = ${automation}
        and (params, trigger) is distinct from (${JSON.stringify(params)}::jsonb, ${JSON.stringify(trigger)}::jsonb)
      returning *
    )
    insert into automation_default_change (agency_id, definition, version, enabled, params, at, key_id)
    select agency_id, definition, version, enabled, params, ${tx.now}, ${keyId} from changed`;
}

/** Switches a workflow off for every tenant of the agency and for later ones, because it is deleted. */
export async function switchTenantsOff(tx: Tx, { agencyId, automation, keyId }: Of): Promise<void> {
  await run(tx)`
    with changed as (
      update automation_default set enabled = false, version = version + 1, updated_at = ${tx.now}
      where agency_id = ${agencyId} and definition = ${automation} and enabled returning *
    )
    insert into automation_default_change (agency_id, definition, version, enabled, params, at, key_id)
    select agency_id, definition, version, enabled, params, ${tx.now}, ${keyId} from changed`;
  const off = await rows(tx, IdRow)`
    update automation set enabled = false, version = version + 1, updated_at = ${tx.now}
    where agency_id = ${agencyId} and definition = ${automation} and enabled returning id`;
  await noteChanges(tx, { agencyId, keyId, automationIds: off.map(({ id }) => id) });
}
