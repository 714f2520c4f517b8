import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { row } from '../rows.ts';
import type { Queries } from '../tx.ts';

const TenantRow = z.object({ tenantId: z.string() });

/** An object that a request names instead of its tenant. */
export interface ImplyingObject {
  kind: 'conversation' | 'message' | 'session' | 'memory' | 'contact' | 'rehearsal' | 'execution' | 'upload';
  ref: string;
}

const byId = (table: string) => (ref: string) => sql`${sql.table(table)} o where o.id = ${ref}`;

const FOUND: Readonly<Record<ImplyingObject['kind'], (ref: string) => RawBuilder<unknown>>> = {
  conversation: byId('conversation'),
  message: byId('message'),
  memory: byId('memory'),
  contact: byId('contact'),
  rehearsal: byId('rehearsal'),
  execution: byId('automation_execution'),
  upload: byId('file_hold'),
  session: (ref) => sql`session o where (o.id = ${ref} or o.name = ${ref}) and o.wish <> 'deleted'`,
};

/** Finds the tenant of the agency that has the object; undefined when none has it. */
export async function findTenantOfObject(
  queries: Queries,
  agencyId: string,
  { kind, ref }: ImplyingObject,
): Promise<string | undefined> {
  const found = await row(queries, TenantRow)`
    select o.tenant_id as "tenantId" from ${FOUND[kind](ref)} and o.agency_id = ${agencyId}`;
  return found?.tenantId;
}

const OnlyRow = z.object({ tenantIds: z.array(z.string()) });

/** Finds the tenant of an agency that has exactly one. */
export async function findOnlyTenant(queries: Queries, agencyId: string): Promise<string | undefined> {
  const found = await row(queries, OnlyRow)`
    select array(select id from tenant where agency_id = ${agencyId} order by id limit 2) as "tenantIds"`;
  const [first, second] = found?.tenantIds ?? [];
  return second === undefined ? first : undefined;
}
