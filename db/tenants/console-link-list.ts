import { z } from 'zod';
import { CONSOLE_PAGES } from '../../domain/console/pages.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { recordChange } from '../audit.ts';
import type { ChangedBy } from '../audit.ts';

export const ConsoleLinkRow = z.object({
  id: z.string(),
  name: z.string(),
  keyId: z.string().nullable(),
  loginId: z.string().nullable(),
  tenantId: z.string(),
  sessionId: z.string().nullable(),
  endpointId: z.string().nullable(),
  readOnly: z.boolean(),
  pages: z.array(z.enum(CONSOLE_PAGES)),
  embedIn: z.array(z.string()),
  loginSeconds: z.int(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  usedAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
});
export type ConsoleLinkRow = z.output<typeof ConsoleLinkRow>;

interface Page {
  after: { createdAt: Date; id: string } | null;
  limit: number;
}

/** Lists the links of an agency, or of one of its tenants, the newest first. */
export async function listConsoleLinks(
  queries: Queries,
  { agencyId, tenantId }: { agencyId: string; tenantId: string | null },
  { after, limit, keyId }: Page & { keyId: string | null },
): Promise<ConsoleLinkRow[]> {
  return rows(queries, ConsoleLinkRow)`
    select id, name, key_id as "keyId", login_id as "loginId", tenant_id as "tenantId", session_id as "sessionId",
      endpoint_id as "endpointId", read_only as "readOnly", coalesce(pages, '{}') as pages, embed_in as "embedIn",
      login_seconds as "loginSeconds", created_at as "createdAt", expires_at as "expiresAt", used_at as "usedAt",
      revoked_at as "revokedAt"
    from console_link
    where agency_id = ${agencyId} and (${tenantId}::text is null or tenant_id = ${tenantId})
      and (${keyId}::text is null or key_id = ${keyId})
      and (${after?.id ?? null}::text is null
        or (created_at, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by created_at desc, id desc limit ${limit}`;
}

const RevokedRow = z.object({ tenantId: z.string() });
const RevokedOfKeyRow = RevokedRow.extend({ id: z.string() });
const RevokedOfLoginRow = RevokedOfKeyRow.extend({ agencyId: z.string() });

/** Revokes the link and ends the login that came by it. Undefined where the agency has no such link that goes on. */
export async function revokeConsoleLink(
  tx: Tx,
  { agencyId, id }: { agencyId: string; id: string },
): Promise<z.output<typeof RevokedRow> | undefined> {
  const revoked = await row(tx, RevokedRow)`
    update console_link set revoked_at = ${tx.now} where id = ${id} and agency_id = ${agencyId} and revoked_at is null
    returning tenant_id as "tenantId"`;
  if (revoked === undefined) return undefined;
  await run(tx)`delete from console_login where link_id = ${id}`;
  // Each process forgets who is logged in.
  tx.wake('agency', agencyId);
  return revoked;
}

/** Revokes all links that a key has made and that may still let somebody in, and ends the logins by them. */
export async function revokeLinksOfKey(
  tx: Tx,
  { agencyId, keyId }: { agencyId: string; keyId: string },
): Promise<{ id: string; tenantId: string }[]> {
  const revoked = await rows(tx, RevokedOfKeyRow)`
    update console_link set revoked_at = ${tx.now}
    where agency_id = ${agencyId} and key_id = ${keyId} and revoked_at is null
    returning id, tenant_id as "tenantId"`;
  await run(tx)`delete from console_login where link_id = any(${revoked.map(({ id }) => id)}::text[])`;
  tx.wake('agency', agencyId);
  return revoked;
}

/**
 * Revokes the links that a login has made, as it ends. They end with it in any case; their rows and the audit say so to
 * whoever looks for them.
 */
export async function revokeLinksOfLogin(tx: Tx, loginId: string, by: ChangedBy): Promise<void> {
  const revoked = await rows(tx, RevokedOfLoginRow)`
    update console_link set revoked_at = ${tx.now} where login_id = ${loginId} and revoked_at is null
    returning id, agency_id as "agencyId", tenant_id as "tenantId"`;
  for (const { id, agencyId, tenantId } of revoked) {
    const of = { agencyId, tenantId };
    await recordChange(tx, { of, object: 'console_link', objectId: id, action: 'revoked', detail: { loginId } }, by);
    tx.wake('agency', agencyId);
  }
}
