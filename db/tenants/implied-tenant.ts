import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { row, rows } from '../rows.ts';
import type { Queries } from '../tx.ts';

/** An object that a request names instead of its tenant. */
export interface NamedObject {
  kind:
    | 'conversation'
    | 'message'
    | 'session'
    | 'memory'
    | 'contact'
    | 'rehearsal'
    | 'execution'
    | 'endpoint'
    | 'erasure'
    | 'upload';
  ref: string;
}

/** The agency and the tenant that have an object; an endpoint may be its agency's. */
const Owner = z.object({ agencyId: z.string(), tenantId: z.string().nullable() });
export type Owner = z.infer<typeof Owner>;

const byId = (table: string) => (ref: string) => sql`o.tenant_id from ${sql.table(table)} o where o.id = ${ref}`;

/** A deleted session, too: a repeated request must mean the same tenant as the first one. */
const FOUND: Readonly<Record<NamedObject['kind'], (ref: string) => RawBuilder<unknown>>> = {
  conversation: byId('conversation'),
  message: (ref) => sql`o.tenant_id from message o where o.id = message_of(${ref})`,
  memory: byId('memory'),
  contact: byId('contact'),
  rehearsal: byId('rehearsal'),
  execution: byId('automation_execution'),
  erasure: byId('erasure'),
  upload: byId('file_hold'),
  session: (ref) => sql`o.tenant_id from session o where (o.id = ${ref} or o.name = ${ref})`,
  endpoint: (ref) => sql`case when cardinality(o.tenant_ids) = 1 then o.tenant_ids[1] end
    from endpoint o where o.id = ${ref}`,
};

/** Finds what agencies and tenants have the objects, in no order. Null for the agency looks at all of them. */
export async function findOwners(
  queries: Queries,
  agencyId: string | null,
  objects: readonly NamedObject[],
): Promise<Owner[]> {
  if (objects.length === 0) return [];
  const each = objects.map(
    ({ kind, ref }) => sql`
    (select o.agency_id as "agencyId", ${FOUND[kind](ref)}
      and (${agencyId}::text is null or o.agency_id = ${agencyId}))`,
  );
  return rows(queries, Owner)`
    select distinct f."agencyId", f."tenantId"
    from (${sql.join(each, sql` union all `)}) f ("agencyId", "tenantId")`;
}

const OnlyRow = z.object({ tenantIds: z.array(z.string()) });

/** Finds the tenant of an agency that has exactly one. */
export async function findOnlyTenant(queries: Queries, agencyId: string): Promise<string | undefined> {
  const found = await row(queries, OnlyRow)`
    select array(select id from tenant where agency_id = ${agencyId} order by id limit 2) as "tenantIds"`;
  const [first, second] = found?.tenantIds ?? [];
  return second === undefined ? first : undefined;
}
