import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { newId } from './new-id.ts';
import type { SecretBox } from './secret-box.ts';

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

/** Null when the engine's key has changed since the secret was sealed: it may come back. */
export function endpointSecret(secrets: SecretBox, endpoint: { id: string; secret: Buffer }): string | null {
  try {
    return secrets.open(endpoint.secret, endpoint.id);
  } catch {
    return null;
  }
}
