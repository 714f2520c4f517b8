import { sql } from 'kysely';
import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { revokeLinksOfLogin } from './console-link-list.ts';
import { masterDigests } from './console-link.ts';
import { lockKeysOfLogins, revokeKeysOfLogins } from './rotate-key.ts';
import type { KeyMaker } from './rotate-key.ts';

const OperatorLoginRow = z.object({
  id: z.string(),
  linkId: z.string().nullable(),
  isTicket: z.boolean(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});

/** Lists the logins and the unopened tickets of the master key that the engine has now, the newest first. */
export async function listOperatorLogins(
  queries: Queries,
  masterKey: string | undefined,
  { after, limit }: { after: { createdAt: Date; id: string } | null; limit: number },
): Promise<z.output<typeof OperatorLoginRow>[]> {
  const masters = masterDigests(queries, masterKey);
  return rows(queries, OperatorLoginRow)`
    with masters as (select ${masters}::bytea[] as known), found as (
      select g.id, g.link_id, false as is_ticket, g.created_at, g.expires_at
      from masters, console_login g left join console_link l on l.id = g.link_id
      where coalesce(g.master, l.master) = any(known) and l.agency_id is null
        and login_works(g.id, ${queries.now}, known)
      union all
      select l.id, l.id, true, l.created_at, l.expires_at from masters, console_link l
      where l.master = any(known) and l.agency_id is null and l.used_at is null
        and link_works(l.id, ${queries.now}, known)
    )
    select id, link_id as "linkId", is_ticket as "isTicket", created_at as "createdAt", expires_at as "expiresAt"
    from found where expires_at > ${queries.now}
      and (${after?.id ?? null}::text is null
        or (created_at, id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by created_at desc, id desc limit ${limit}`;
}

const IdRow = z.object({ id: z.string() });
const EndedRow = IdRow.extend({ wasOver: z.boolean() });

const ofOperator = (id: string) => sql`
  ((g.master is not null and g.id = ${id})
    or exists (select 1 from console_link l where l.id = g.link_id and l.agency_id is null and ${id} in (g.id, l.id)))`;

/**
 * Ends a login of the operator, or a link of the operator with the login by it, and all that the login made. `unknown`
 * where there is none, and no key of it. `forbidden` when the login that asks has ended: the caller rolls back.
 */
export async function endOperatorLogin(tx: Tx, id: string, by: KeyMaker): Promise<'ended' | 'unknown' | 'forbidden'> {
  const known = await rows(tx, IdRow)`select g.id from console_login g where ${ofOperator(id)}`;
  const found = [id, ...known.map((login) => login.id)];
  const mayChangeKeys = await lockKeysOfLogins(tx, found, by);
  const revoked = await row(tx, IdRow)`
    update console_link set revoked_at = ${tx.now}
    where id = ${id} and agency_id is null and revoked_at is null returning id`;
  const ended = await rows(tx, EndedRow)`
    delete from console_login g where ${ofOperator(id)} returning g.id, g.expires_at <= ${tx.now} as "wasOver"`;
  // Somebody may have opened the ticket while this waited.
  const logins = [...new Set([...found, ...ended.map((login) => login.id)])];
  const keys = await revokeKeysOfLogins(tx, logins, null, by);
  if (keys > 0 && !mayChangeKeys) return 'forbidden';
  if (revoked === undefined && keys === 0 && ended.every(({ wasOver }) => wasOver)) return 'unknown';
  for (const login of logins) await revokeLinksOfLogin(tx, login, by);
  // Each process forgets who is logged in.
  tx.wake('agency', '*');
  return 'ended';
}
