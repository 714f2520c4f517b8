import { timingSafeEqual } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { z } from 'zod';
import type { Caller } from '../../domain/scope.ts';
import { KEY_KINDS, KEY_SCOPES } from '../../domain/tenants/api-key.ts';
import type { KeyKind, KeyScope } from '../../domain/tenants/api-key.ts';
import { createKey, parseKey } from './api-key-format.ts';
import { row, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.string().primary(),
    kind: p.enum(KEY_KINDS),
    agencyId: p.string(),
    tenantId: p.string().nullable(),
    sessionId: p.string().nullable(),
    name: p.string(),
    scopes: p.array<KeyScope>(),
    digest: p.blob(),
    hint: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
  },
});
export type ApiKey = InferEntity<typeof ApiKey>;

export interface NewApiKey {
  kind: KeyKind;
  agencyId: string;
  tenantId: string | null;
  sessionId: string | null;
  name: string;
  scopes: readonly KeyScope[];
  expiresAt: Date | null;
}

/** Makes a key. The key itself is returned once; the database has only a keyed digest of its secret. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<{ id: string; apiKey: string }> {
  const { id, secret, apiKey, hint } = createKey(key.kind);
  await run(tx)`
    insert into api_key (id, kind, agency_id, tenant_id, session_id, name, scopes, digest, hint,
      expires_at)
    values (${id}, ${key.kind}, ${key.agencyId}, ${key.tenantId}, ${key.sessionId}, ${key.name},
      ${key.scopes}::text[], ${tx.secrets.digest(secret)}, ${hint}, ${key.expiresAt})`;
  return { id, apiKey };
}

/** The secret is compared with this when no row was found, so that an unknown id takes as much time as a known one. */
const NO_DIGEST = Buffer.alloc(32);

const KeyRow = z.object({
  id: z.string(),
  kind: z.enum(KEY_KINDS),
  agencyId: z.string(),
  tenantId: z.string().nullable(),
  sessionId: z.string().nullable(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  digest: z.instanceof(Buffer),
});

/** Finds the holder of the key; undefined for a key that is malformed, unknown, expired or revoked. */
export async function findCaller(
  queries: Queries,
  apiKey: string,
): Promise<Exclude<Caller, { kind: 'master' }> | undefined> {
  const parsed = parseKey(apiKey);
  if (!parsed) return undefined;
  const found = await row(queries, KeyRow)`
    select k.id, k.kind, k.agency_id as "agencyId", k.tenant_id as "tenantId", k.session_id as "sessionId", k.scopes,
      k.digest
    from api_key k
    where k.id = ${parsed.id} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${queries.now})`;
  const same = timingSafeEqual(found?.digest ?? NO_DIGEST, queries.secrets.digest(parsed.secret));
  if (!found || !same) return undefined;
  if (found.kind === 'dashboard') {
    return { kind: 'dashboard', keyId: found.id, agencyId: found.agencyId };
  }
  if (found.tenantId === null || found.sessionId === null) return undefined;
  const { id: keyId, agencyId, tenantId, sessionId, scopes } = found;
  return { kind: 'session', keyId, agencyId, tenantId, sessionId, scopes };
}

export async function findApiKeyOfAgency(queries: Queries, agencyId: string, id: string): Promise<ApiKey | null> {
  return queries.em.findOne(ApiKey, { agencyId, id });
}

export async function listApiKeys(queries: Queries, agencyId: string): Promise<ApiKey[]> {
  return queries.em.find(ApiKey, { agencyId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
}

/**
 * Revokes a key; every process refuses it within a second. False when the agency has no such key, or the key was
 * revoked before.
 */
export async function revokeApiKey(tx: Tx, agencyId: string, id: string): Promise<boolean> {
  const count = await run(tx)`
    update api_key set revoked_at = ${tx.now} where agency_id = ${agencyId} and id = ${id} and revoked_at is null
    returning id`;
  return count > 0;
}

/**
 * Records when keys were last used, at most once a minute for each key: the time is for people to read, not for
 * accounting.
 */
export async function touchApiKeys(tx: Tx, keyIds: string[]): Promise<void> {
  await run(tx)`update api_key set last_used_at = ${tx.now} where id = any(${keyIds})
    and (last_used_at is null or last_used_at < ${tx.now}::timestamptz - interval '1 minute')`;
}
