import { z } from 'zod';
import { scopesOf } from '../../domain/tenants/api-key.ts';
import { IdRow } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { findApiKeyOfAgency, insertApiKey } from './api-key.ts';
import type { ApiKey } from './api-key.ts';
import { recordChange } from '../audit.ts';
import type { ChangedBy } from '../audit.ts';

/** A key that has just been made; `apiKey` is shown once. */
export interface MadeKey {
  key: ApiKey;
  apiKey: string;
}

export type NewKeyOf = Omit<Parameters<typeof insertApiKey>[1], 'madeBy' | 'loginId'>;

/** Somebody who changes keys, with the login of the console by which they came. */
export type KeyMaker = ChangedBy & { login?: { id: string } };

/** Makes a key and records which key did. It ends with that key; the operator's secrets are none. */
export async function makeApiKey(tx: Tx, wanted: NewKeyOf, by: KeyMaker): Promise<MadeKey> {
  const maker = await row(tx, IdRow)`select id from api_key where id = ${by.keyId} and agency_id = ${wanted.agencyId}`;
  const made = await insertMade(tx, { ...wanted, madeBy: maker?.id ?? null, loginId: by.login?.id ?? null });
  const { id, kind, agencyId, tenantId = null, scopes } = made.key;
  const detail = { kind, scopes: scopesOf(kind, scopes) };
  await recordChange(tx, { of: { agencyId, tenantId }, object: 'key', objectId: id, action: 'created', detail }, by);
  return made;
}

export interface Rotation {
  overlapSeconds: number;
  /** The successor takes over the keys that the replaced ones made. */
  keepKeys?: boolean;
}

/**
 * Makes a key that may do the same as another one, which ends after the overlap. Undefined when the agency has no such
 * key that works, or it was replaced before. The caller holds the lock of the keys.
 */
export async function rotateApiKey(
  tx: Tx,
  { agencyId, id }: { agencyId: string; id: string },
  { overlapSeconds, keepKeys = false }: Rotation,
  by: ChangedBy,
): Promise<MadeKey | undefined> {
  const working = await run(tx)`
    select 1 from api_key where agency_id = ${agencyId} and id = ${id} and key_leads(id, ${tx.now})`;
  const old = working === 0 ? null : await findApiKeyOfAgency(tx, agencyId, id);
  if (!old) return undefined;
  const { kind, tenantId = null, sessionId = null, name, scopes, expiresAt = null, defaultRecipient = null } = old;
  // A key with an end of its own gets the same time again from now on, so that rotating it does not shorten it.
  const lifeMs = expiresAt === null ? null : expiresAt.getTime() - old.createdAt.getTime();
  const made = await insertMade(tx, {
    kind,
    agencyId,
    tenantId,
    sessionId,
    name,
    scopes,
    expiresAt: lifeMs === null ? null : new Date(tx.now.getTime() + lifeMs),
    defaultRecipient,
    madeBy: old.endsWithMaker ? (old.madeBy ?? null) : null,
    loginId: old.loginId ?? null,
  });
  await endAfter(tx, [id], { overlapSeconds, keepKeys, replacedBy: made.key.id });
  const detail = { replacedBy: made.key.id, overlapSeconds, keepKeys };
  await recordChange(tx, { of: { agencyId, tenantId }, object: 'key', objectId: id, action: 'rotated', detail }, by);
  return made;
}

/**
 * Makes a new key for a dashboard whose keys are lost or in wrong hands: all that it has end after the overlap. Whoever
 * has one of them cannot undo that.
 */
export async function replaceDashboardKeys(
  tx: Tx,
  agencyId: string,
  { overlapSeconds, keepKeys = false }: Rotation,
  by: ChangedBy,
): Promise<MadeKey> {
  await lockKeys(tx, agencyId, by);
  const old = await rows(tx, IdRow)`
    select id from api_key where agency_id = ${agencyId} and kind = 'dashboard' and key_works(id, ${tx.now})
    order by id`;
  const ids = old.map(({ id }) => id);
  const made = await insertMade(tx, {
    kind: 'dashboard',
    agencyId,
    tenantId: null,
    sessionId: null,
    name: 'registration',
    scopes: [],
    expiresAt: null,
    defaultRecipient: null,
    madeBy: null,
    loginId: null,
  });
  await endAfter(tx, ids, { overlapSeconds, keepKeys, replacedBy: made.key.id });
  const detail = { replacedBy: made.key.id, overlapSeconds, keepKeys };
  for (const id of ids.length === 0 ? [made.key.id] : ids) {
    await recordChange(tx, { of: { agencyId }, object: 'key', objectId: id, action: 'rotated', detail }, by);
  }
  return made;
}

const RevocableRow = z.object({ kind: z.string(), tenantId: z.string().nullable(), isLast: z.boolean() });

/**
 * Revokes a key; every process refuses it within a second. The last key of a dashboard that works is kept when
 * `keepsLast`, because the dashboard would lock itself out. `unknown` when the agency has no such key, or the key was
 * revoked before. The caller holds the lock of the keys, so that two requests do not revoke the last two together.
 */
export async function revokeApiKey(
  tx: Tx,
  { agencyId, id }: { agencyId: string; id: string },
  by: ChangedBy,
  { keepsLast }: { keepsLast: boolean },
): Promise<'revoked' | 'last' | 'unknown'> {
  const found = await row(tx, RevocableRow)`
    select kind, tenant_id as "tenantId", kind = 'dashboard' and not exists (
      select 1 from api_key o where o.agency_id = k.agency_id and o.kind = 'dashboard' and key_leads(o.id, ${tx.now})
        -- A key that this one made ends with it.
        and not key_chain(o.id, ${tx.now}) @> jsonb_build_array(jsonb_build_object('id', k.id))) as "isLast"
    from api_key k where agency_id = ${agencyId} and id = ${id} and revoked_at is null`;
  if (!found) return 'unknown';
  if (keepsLast && found.isLast) return 'last';
  await run(tx)`update api_key set revoked_at = ${tx.now} where id = ${id}`;
  const of = { agencyId, tenantId: found.tenantId };
  await recordChange(tx, { of, object: 'key', objectId: id, action: 'revoked', detail: { kind: found.kind } }, by);
  tx.wake('agency', agencyId);
  return 'revoked';
}

const RevokedRow = z.object({
  id: z.string(),
  kind: z.string(),
  agencyId: z.string(),
  tenantId: z.string().nullable(),
});

/**
 * Revokes the keys that logins have made, because somebody ends these logins, which may be over. `seen` is null for
 * logins of the operator: no key has made their keys. Returns how many it revoked. The caller holds the lock of the
 * keys, so that no key is replaced meanwhile, and has deleted the rows of the logins.
 */
export async function revokeKeysOfLogins(
  tx: Tx,
  loginIds: readonly string[],
  seen: { agencyId: string; maker: string | null } | null,
  by: ChangedBy,
): Promise<number> {
  const revoked = await rows(tx, RevokedRow)`
    update api_key set revoked_at = ${tx.now}
    where login_id = any(${loginIds}::text[]) and revoked_at is null
      and case when ${seen === null} then made_by is null
        else agency_id = ${seen?.agencyId ?? null} and made_by = coalesce(${seen?.maker ?? null}, made_by) end
    returning id, kind, agency_id as "agencyId", tenant_id as "tenantId"`;
  for (const { id, kind, agencyId, tenantId } of revoked) {
    const of = { agencyId, tenantId };
    await recordChange(tx, { of, object: 'key', objectId: id, action: 'revoked', detail: { kind } }, by);
    tx.wake('agency', agencyId);
  }
  return revoked.length;
}

const EndedRow = z.object({ isEnded: z.boolean() });

/**
 * Lets one request at a time change the keys of an agency, so that no key is made beside a rotation that has to end it.
 * False when the key that asks was replaced, or has ended since its request began. Such a key may change no key: its
 * thief would make a successor before the overlap is over. The same holds for a login that has ended.
 */
export async function lockKeys(tx: Tx, agencyId: string, by: KeyMaker): Promise<boolean> {
  await run(tx)`select 1 from agency where id = ${agencyId} for no key update`;
  return mayChangeKeys(tx, by);
}

/** Does the same for each agency in which the logins have made keys. */
export async function lockKeysOfLogins(tx: Tx, loginIds: readonly string[], by: KeyMaker): Promise<boolean> {
  await run(tx)`
    select 1 from agency where id in (select agency_id from api_key where login_id = any(${loginIds}::text[]))
    order by id for no key update`;
  return mayChangeKeys(tx, by);
}

async function mayChangeKeys(tx: Tx, { keyId, login }: KeyMaker): Promise<boolean> {
  // A shared lock would deadlock two requests by which one login ends itself.
  const wanted =
    login && run(tx)`select 1 from console_login where id = ${login.id} and expires_at > ${tx.now} for no key update`;
  if ((await wanted) === 0) return false;
  const { isEnded } = await one(tx, EndedRow)`
    select exists (select 1 from api_key where id = ${keyId} and not key_leads(id, ${tx.now})) as "isEnded"`;
  return !isEnded;
}

async function insertMade(tx: Tx, wanted: Parameters<typeof insertApiKey>[1]): Promise<MadeKey> {
  const { id, apiKey } = await insertApiKey(tx, wanted);
  const key = await findApiKeyOfAgency(tx, wanted.agencyId, id);
  if (!key) throw new Error('The key that was just made is not there.');
  return { key, apiKey };
}

const EndsRow = z.object({ agencies: z.array(z.string()) });

async function endAfter(
  tx: Tx,
  ids: readonly string[],
  { overlapSeconds, keepKeys, replacedBy }: Required<Rotation> & { replacedBy: string },
): Promise<void> {
  if (keepKeys) {
    await run(tx)`
      update api_key set made_by = ${replacedBy}
      where made_by = any(${ids}::text[]) and ends_with_maker and id <> all(${[...ids, replacedBy]}::text[])`;
  }
  const { agencies } = await one(tx, EndsRow)`
    with ended as (
      update api_key set replaced_by = ${replacedBy},
        expires_at = least(expires_at, ${new Date(tx.now.getTime() + overlapSeconds * 1_000)}::timestamptz)
      where id = any(${ids}::text[]) returning agency_id
    )
    select coalesce(array_agg(distinct agency_id), '{}') as agencies from ended`;
  for (const agencyId of agencies) tx.wake('agency', agencyId);
}
