import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Queries, Tx } from './database.ts';
import { newId } from './new-id.ts';

export const Endpoint = defineEntity({
  name: 'Endpoint',
  tableName: 'endpoint',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string().nullable(),
    url: p.string(),
    secret: p.blob(),
    events: p.array(),
    ordering: p.enum(['conversation', 'parallel', 'fifo'] as const),
    concurrency: p.integer(),
    timeoutMs: p.integer(),
    status: p.enum(['active', 'paused', 'disabled'] as const),
    disabledReason: p.string().nullable(),
    lastError: p.string().nullable(),
    failingSince: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type Endpoint = InferEntity<typeof Endpoint>;

export interface NewEndpoint {
  agencyId: string;
  tenantId: string | null;
  url: string;
  secret: string;
  events: string[];
}

export async function insertEndpoint(tx: Tx, endpoint: NewEndpoint): Promise<string> {
  const id = newId('whe');
  await sql`
    insert into endpoint (id, agency_id, tenant_id, url, secret, events)
    values (${id}, ${endpoint.agencyId}, ${endpoint.tenantId}, ${endpoint.url},
      ${tx.secrets.seal(endpoint.secret, id)}, ${endpoint.events})`.execute(tx.sql);
  await sql`insert into endpoint_drain (endpoint_id) values (${id})`.execute(tx.sql);
  return id;
}

/** For the drain, which works on an endpoint and learns its agency from it. */
export async function findEndpointById(queries: Queries, id: string): Promise<Endpoint | null> {
  return queries.em.findOne(Endpoint, { id });
}

/** The signing secret, opened for one use. */
export function endpointSecret(queries: Queries, endpoint: Endpoint): string {
  return queries.secrets.open(Buffer.from(endpoint.secret), endpoint.id);
}

/** A receiver that says 410 wants no more; its events stay and can be recovered. */
export async function disableEndpoint(tx: Tx, id: string, reason: string): Promise<void> {
  await sql`update endpoint set status = 'disabled', disabled_reason = ${reason} where id = ${id} and status = 'active'`.execute(
    tx.sql,
  );
}

export async function recordEndpointHealth(tx: Tx, id: string, error: string | null): Promise<void> {
  await sql`
    update endpoint set last_error = ${error},
      failing_since = case when ${error}::text is null then null else coalesce(failing_since, ${tx.now}) end
    where id = ${id} and (last_error is distinct from ${error} or (failing_since is null) <> (${error}::text is null))`.execute(
    tx.sql,
  );
}
