import { z } from 'zod';
import type { Caller } from '../../domain/caller.ts';
import { KEY_KINDS, KEY_SCOPES, scopesOf, sharedScopes } from '../../domain/tenants/api-key.ts';
import { Timestamp } from '../engine/columns.ts';
import { one, rows, run } from '../engine/rows.ts';
import type { SecretBox } from '../engine/secret-box.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** A key and the makers with which it ends, itself among them. */
export const KeyChain = z.array(z.object({ kind: z.enum(KEY_KINDS), scopes: z.array(z.enum(KEY_SCOPES)) }));

const KeyRow = z.object({
  id: z.string(),
  kind: z.enum(KEY_KINDS),
  agencyId: z.string(),
  tenantId: z.string().nullable(),
  sessionId: z.string().nullable(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  chain: KeyChain,
  digest: z.instanceof(Buffer),
  digestOf: z.string().nullable(),
  expiresAt: Timestamp.nullable(),
});
export type KeyRow = z.output<typeof KeyRow>;

/** Finds the rows of keys by their public ids, without those that are unknown or have ended. */
export async function findWorkingKeys(queries: Queries, ids: readonly string[]): Promise<Map<string, KeyRow>> {
  const found = await rows(queries, KeyRow)`
    select k.id, k.kind, k.agency_id as "agencyId", k.tenant_id as "tenantId", k.session_id as "sessionId", k.scopes,
      c.chain, k.digest, k.digest_of as "digestOf", k.expires_at as "expiresAt"
    from api_key k cross join lateral (select key_chain(k.id, ${queries.now}) as chain) c
    where k.id = any(${ids}::text[]) and c.chain is not null`;
  return new Map(found.map((key) => [key.id, key]));
}

/** The secret is compared with this when no row was found, so that an unknown id takes as much time as a known one. */
const NO_DIGEST = Buffer.alloc(32);

/** The holder of the key, or undefined when the secret is not the row's. */
export function callerOf(
  secrets: SecretBox,
  found: KeyRow | undefined,
  secret: string,
): { caller: Exclude<Caller, { kind: 'master' }>; isOutdated: boolean } | undefined {
  const madeWith = secrets.keyOfDigest(found?.digest ?? NO_DIGEST, secret);
  if (found === undefined || madeWith === null) return undefined;
  const isOutdated = secrets.isReplacing && (madeWith === 'previous' || found.digestOf !== secrets.keyName);
  const caller = holderOf(found);
  return caller && { caller, isOutdated };
}

/** Whoever holds the key, as the key's row says. */
export function holderOf({
  id: keyId,
  kind,
  agencyId,
  tenantId,
  sessionId,
  scopes: stored,
  chain,
}: Omit<KeyRow, 'digest' | 'digestOf' | 'expiresAt'>): Exclude<Caller, { kind: 'master' }> | undefined {
  const scopes = sharedScopes(scopesOf(kind, stored), chain);
  if (kind === 'dashboard') return { kind, keyId, agencyId, scopes };
  if (tenantId === null || sessionId === null) return undefined;
  return { kind, keyId, agencyId, tenantId, sessionId, scopes };
}

const IdsRow = z.object({ ids: z.array(z.string()) });

/** Lists keys that work, those first that were used or made last. */
export async function listWorkingKeys(queries: Queries, limit: number): Promise<string[]> {
  const { ids } = await one(queries, IdsRow)`
    select array(select id from api_key where key_works(id, ${queries.now})
      order by coalesce(last_used_at, created_at) desc limit ${limit}) as ids`;
  return ids;
}

/** Writes the digest with the current encryption key. It needs the secret, so it is done when the key is used. */
export async function renewDigest(tx: Tx, id: string, secret: string): Promise<void> {
  await run(tx)`
    update api_key set digest = ${tx.secrets.digest(secret)}, digest_of = ${tx.secrets.keyName} where id = ${id}`;
}

const CountRow = z.object({ count: z.int() });

/** Counts the keys that work and were not used since the encryption key was replaced; they end with the former one. */
export async function countOutdatedKeys(queries: Queries): Promise<number> {
  const { count } = await one(queries, CountRow)`
    select count(*)::int as count from api_key where key_works(id, ${queries.now})
      and digest_of is distinct from ${queries.secrets.keyName}`;
  return count;
}
