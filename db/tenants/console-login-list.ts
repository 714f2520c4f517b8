import { sql } from 'kysely';
import { z } from 'zod';
import type { CredentialsSeen } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { revokeLinksOfLogin } from './console-link-list.ts';
import { lockKeys, revokeKeysOfLogins } from './rotate-key.ts';
import type { KeyMaker } from './rotate-key.ts';

const LoginView = z.object({
  id: z.string(),
  keyId: z.string().nullable(),
  linkId: z.string().nullable(),
  tenantId: z.string().nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type ConsoleLoginRow = z.output<typeof LoginView>;

const ofSeen = ({ agencyId, tenantId, maker }: CredentialsSeen) => sql`
  coalesce(k.agency_id, l.agency_id) = ${agencyId}
  and (${tenantId}::text is null or coalesce(k.tenant_id, l.tenant_id, ${tenantId}) = ${tenantId})
  and (${maker}::text is null or coalesce(g.link_id, g.key_id) = ${maker})`;

/** Lists the logins that work, by keys and by links, the newest first. */
export async function listLogins(
  queries: Queries,
  seen: CredentialsSeen,
  { keyId, after, limit }: { keyId: string | null; after: { createdAt: Date; id: string } | null; limit: number },
): Promise<ConsoleLoginRow[]> {
  return rows(queries, LoginView)`
    select g.id, coalesce(g.key_id, l.key_id) as "keyId", g.link_id as "linkId",
      coalesce(k.tenant_id, l.tenant_id) as "tenantId", g.created_at as "createdAt", g.expires_at as "expiresAt"
    from console_login g left join api_key k on k.id = g.key_id left join console_link l on l.id = g.link_id
    where ${ofSeen(seen)}
      and (${keyId}::text is null or coalesce(g.key_id, l.key_id) = ${keyId})
      and login_works(g.id, ${queries.now}, null)
      and (${after?.id ?? null}::text is null
        or (g.created_at, g.id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by g.created_at desc, g.id desc limit ${limit}`;
}

const EndedRow = z.object({ tenantId: z.string().nullable(), wasOver: z.boolean() });

/**
 * Ends a login with all that it made, its keys among them. A login that is over is known by its keys. `unknown` when
 * neither the login nor a key of it is seen. `forbidden` when whoever asks may change no key: the caller rolls back.
 */
export async function endLoginOf(
  tx: Tx,
  seen: CredentialsSeen,
  id: string,
  by: KeyMaker,
): Promise<{ tenantId: string | null } | 'unknown' | 'forbidden'> {
  const mayChangeKeys = await lockKeys(tx, seen.agencyId, by);
  const ended = await row(tx, EndedRow)`
    with of as (
      select g.id, coalesce(k.tenant_id, l.tenant_id) as tenant_id
      from console_login g left join api_key k on k.id = g.key_id left join console_link l on l.id = g.link_id
      where g.id = ${id} and ${ofSeen(seen)}
    )
    delete from console_login g using of where g.id = of.id
    returning of.tenant_id as "tenantId", g.expires_at <= ${tx.now} as "wasOver"`;
  const revoked = await revokeKeysOfLogins(tx, [id], seen, by);
  if (revoked > 0 && !mayChangeKeys) return 'forbidden';
  if (ended?.wasOver !== false && revoked === 0) return 'unknown';
  await revokeLinksOfLogin(tx, id, by);
  // Each process forgets the login.
  tx.wake('agency', seen.agencyId);
  return ended ?? { tenantId: null };
}
