import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { KEY_KINDS } from '../../domain/tenants/api-key.ts';
import type { KeyKind, KeyScope } from '../../domain/tenants/api-key.ts';
import { createKey } from './api-key-format.ts';
import { run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

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
    /** Empty for a key that was made without any, which has the usual scopes of its kind. */
    scopes: p.array<KeyScope>(),
    digest: p.blob(),
    digestOf: p.string().nullable(),
    hint: p.string(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    replacedBy: p.string().nullable(),
    madeBy: p.string().nullable(),
    endsWithMaker: p.boolean(),
    loginId: p.string().nullable(),
    lastUsedAt: p.datetime().nullable(),
    defaultRecipient: p.string().nullable(),
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
  /** A contactId or a canonical chat id; null for the tenant's. */
  defaultRecipient: string | null;
  /** The key with which it ends; null for one that ends by itself alone. */
  madeBy: string | null;
  /** The login of the console in which it is made; null outside the console. */
  loginId: string | null;
}

/** Makes a key. The key itself is returned once; the database has only a keyed digest of its secret. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<{ id: string; apiKey: string }> {
  const { id, secret, apiKey, hint } = createKey(key.kind);
  await run(tx)`
    insert into api_key (id, kind, agency_id, tenant_id, session_id, name, scopes, digest, digest_of, hint,
      expires_at, default_recipient, made_by, ends_with_maker, login_id, created_at)
    values (${id}, ${key.kind}, ${key.agencyId}, ${key.tenantId}, ${key.sessionId}, ${key.name},
      ${key.scopes}::text[], ${tx.secrets.digest(secret)}, ${tx.secrets.keyName}, ${hint},
      ${key.expiresAt}, ${key.defaultRecipient}, ${key.madeBy}, ${key.madeBy !== null}, ${key.loginId},
      ${tx.now})`;
  return { id, apiKey };
}

export async function findApiKeyOfAgency(queries: Queries, agencyId: string, id: string): Promise<ApiKey | null> {
  return queries.em.findOne(ApiKey, { agencyId, id });
}

/** Lists an agency's keys, the newest first; keys that have ended for long come last, because they are the oldest. */
export async function listApiKeys(
  queries: Queries,
  agencyId: string,
  page: { after: { createdAt: Date; id: string } | null; limit: number },
): Promise<ApiKey[]> {
  const { after, limit } = page;
  const older = after && {
    $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, id: { $lt: after.id } }],
  };
  return queries.em.find(ApiKey, { agencyId, ...older }, { orderBy: { createdAt: 'desc', id: 'desc' }, limit });
}

/**
 * Records when keys were last used, at most once a minute for each key: the time is for people to read, not for
 * accounting.
 */
export async function touchApiKeys(tx: Tx, uses: ReadonlyMap<string, Date>): Promise<void> {
  const given = [...uses].map(([id, at]) => ({ id, at }));
  await run(tx)`update api_key k set last_used_at = u.at
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as u(id text, at timestamptz)
    where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at - interval '1 minute')`;
}
