import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/** An object that a request names instead of its tenant. */
export interface NamedObject {
  kind:
    | 'conversation'
    | 'message'
    | 'session'
    | 'memory'
    | 'note'
    | 'contact'
    | 'rehearsal'
    | 'execution'
    | 'endpoint'
    | 'erasure'
    | 'upload'
    | 'export'
    | 'key'
    | 'link'
    | 'login'
    | 'stream'
    | 'event'
    | 'delivery'
    | 'workflow';
  ref: string;
}

/** The agency and the tenant that have an object; an endpoint, a key and a workflow may be their agency's. */
const Owner = z.object({ agencyId: z.string(), tenantId: z.string().nullable() });
export type Owner = z.infer<typeof Owner>;

const byId = (table: string) => (ref: string) => sql`o.tenant_id from ${sql.table(table)} o where o.id = ${ref}`;

/** An event is written shortly after its id was made, or some minutes later where it waits for a file. */
const WRITTEN_AFTER_MS = 3_600_000;
const CLOCKS_DIFFER_MS = 300_000;

/** Looks at the hours of the id alone, which names the partitions to look into. */
function eventOf(ref: string): RawBuilder<unknown> {
  const madeAt = Number.parseInt(ref.slice(4, 17).replace('-', ''), 16);
  const [from, until] = [madeAt - CLOCKS_DIFFER_MS, madeAt + WRITTEN_AFTER_MS].map((at) => new Date(at));
  const isId = from !== undefined && until !== undefined && !Number.isNaN(until.getTime());
  return sql`o.tenant_id from event o where o.id = ${ref}
    and o.created_at between ${isId ? from : null}::timestamptz and ${isId ? until : null}::timestamptz`;
}

/** A deleted session, too: a repeated request must mean the same tenant as the first one. */
const FOUND: Readonly<Record<NamedObject['kind'], (ref: string) => RawBuilder<unknown>>> = {
  conversation: byId('conversation'),
  message: (ref) => sql`o.tenant_id from message o where o.id = message_of(${ref})`,
  memory: byId('memory'),
  note: byId('note'),
  contact: byId('contact'),
  rehearsal: byId('rehearsal'),
  execution: byId('automation_execution'),
  erasure: byId('erasure'),
  upload: byId('file_hold'),
  export: byId('tenant_export'),
  key: byId('api_key'),
  link: byId('console_link'),
  login: (ref) => sql`o.tenant_id from (
    select coalesce(k.agency_id, l.agency_id) as agency_id, coalesce(k.tenant_id, l.tenant_id) as tenant_id
    from console_login g left join api_key k on k.id = g.key_id left join console_link l on l.id = g.link_id
    where g.id = ${ref}
    -- A login that is over is still ended for the keys that it made.
    union all select k.agency_id, null from api_key k where k.login_id = ${ref} and k.made_by is not null
    ) o where o.agency_id is not null`,
  stream: byId('open_stream'),
  event: eventOf,
  delivery: (ref) => sql`o.tenant_id from delivery o where o.id = ${ref}::bigint`,
  workflow: (ref) => sql`null::text from flow o where o.id = ${ref}`,
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
