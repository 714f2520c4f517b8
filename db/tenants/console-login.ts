import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CONSOLE_PAGES } from '../../domain/console/pages.ts';
import { KEY_KINDS, KEY_SCOPES } from '../../domain/tenants/api-key.ts';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { KeyChain } from './find-caller.ts';
import { revokeLinksOfLogin } from './console-link-list.ts';
import { masterDigests } from './console-link.ts';

const SECRET_BYTES = 32;
/** Rows of links that have expired are kept for so long, so that a list can tell of them. */
const KEPT_DAYS = 30;
/** A key that a login begins to make just before its end is there by then. */
const KEY_IS_MADE_HOURS = 1;

type LoginBy = { keyId: string } | { masterKey: string } | { linkId: string };

/** Makes a login, and clears away what has ended for long. The secret of its cookie is returned once. */
export async function insertLogin(
  tx: Tx,
  by: LoginBy,
  seconds: number,
): Promise<{ id: string; secret: string; expiresAt: Date }> {
  const id = newId('clg');
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const expiresAt = new Date(tx.now.getTime() + seconds * 1_000);
  await run(tx)`
    insert into console_login (id, digest, key_id, master, link_id, created_at, expires_at)
    values (${id}, ${tx.secrets.digest(secret)}, ${'keyId' in by ? by.keyId : null},
      ${'masterKey' in by ? tx.secrets.digest(by.masterKey) : null}, ${'linkId' in by ? by.linkId : null},
      ${tx.now}, ${expiresAt})`;
  // A key that works keeps its login, and the link of that: by them, somebody may still end the key.
  await run(tx)`
    delete from console_login g
    where expires_at < ${tx.now}::timestamptz - make_interval(hours => ${KEY_IS_MADE_HOURS})
      and not exists (select 1 from api_key k where k.login_id = g.id and k.revoked_at is null)`;
  await run(tx)`
    delete from console_link l where expires_at < ${tx.now}::timestamptz - make_interval(days => ${KEPT_DAYS})
      and not exists (select 1 from console_login g join api_key k on k.login_id = g.id
        where g.link_id = l.id and k.revoked_at is null)`;
  return { id, secret, expiresAt };
}

/** The key or the link for which somebody is logged in. */
export const LoginRow = z.object({
  id: z.string(),
  digest: z.instanceof(Buffer),
  expiresAt: Timestamp,
  isMaster: z.boolean(),
  /** The key that logged in or made the link, with the makers with which it ends; null for the master key. */
  chain: KeyChain.nullable(),
  key: z
    .object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(KEY_KINDS),
      agencyId: z.string(),
      tenantId: z.string().nullable(),
      sessionId: z.string().nullable(),
      scopes: z.array(z.enum(KEY_SCOPES)),
    })
    .nullable(),
  link: z
    .object({
      id: z.string(),
      name: z.string(),
      agencyId: z.string(),
      tenantId: z.string(),
      sessionId: z.string().nullable(),
      endpointId: z.string().nullable(),
      readOnly: z.boolean(),
      /** Null where an earlier release has made the link. */
      scopes: z.array(z.enum(KEY_SCOPES)).nullable(),
      pages: z.array(z.enum(CONSOLE_PAGES)).nullable(),
      embedIn: z.array(z.string()),
    })
    .nullable(),
});
export type LoginRow = z.output<typeof LoginRow>;

/**
 * Finds logins that still count (`credentials.sql`): one ends with its key, or with its link and the maker of that, and
 * the operator's when the engine has another master key.
 */
export async function findLogins(
  queries: Queries,
  ids: readonly string[],
  masterKey: string | undefined,
): Promise<Map<string, LoginRow>> {
  const masters = masterDigests(queries, masterKey);
  const found = await rows(queries, LoginRow)`
    select g.id, g.digest, g.expires_at as "expiresAt",
      coalesce(g.master, case when l.agency_id is null then l.master end) is not null as "isMaster",
      key_chain(coalesce(g.key_id, l.key_id), ${queries.now}) as chain,
      case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name, 'kind', k.kind,
        'agencyId', k.agency_id, 'tenantId', k.tenant_id, 'sessionId', k.session_id, 'scopes', k.scopes) end as key,
      case when l.agency_id is not null then jsonb_build_object('id', l.id, 'name', l.name, 'agencyId', l.agency_id,
        'tenantId', l.tenant_id, 'sessionId', l.session_id, 'endpointId', l.endpoint_id, 'scopes', l.scopes,
        -- Other tenants may have been added to the endpoint since.
        'readOnly', l.read_only or (l.endpoint_id is not null and e.tenant_ids is distinct from array[l.tenant_id]),
        'pages', l.pages, 'embedIn', l.embed_in) end as link
    from console_login g
    left join api_key k on k.id = g.key_id
    left join console_link l on l.id = g.link_id
    left join endpoint e on e.id = l.endpoint_id
    where g.id = any(${ids}::text[]) and login_works(g.id, ${queries.now}, ${masters}::bytea[])`;
  return new Map(found.map((login) => [login.id, login]));
}

/**
 * Ends a login whose browser forgets it, and the links that it made. Keys stay: programs use them after the person has
 * logged out. The row stays for these, with an end that is past by the clock of every process.
 */
export async function logOut(tx: Tx, { id, key, link }: Pick<LoginRow, 'id' | 'key' | 'link'>): Promise<void> {
  await run(tx)`update console_login set expires_at = created_at where id = ${id}`;
  await revokeLinksOfLogin(tx, id, { keyId: key?.id ?? link?.id ?? 'master' });
}

/**
 * Tells whether a login came by a link that the former login made, or by a link of one that did. It ends with that
 * login, so that its own browser must not end it.
 */
export async function comesFrom(queries: Queries, id: string, formerId: string): Promise<boolean> {
  const found = await run(queries)`
    with recursive makers as (
      select l.login_id from console_login g join console_link l on l.id = g.link_id where g.id = ${id}
      union
      select l.login_id from makers m join console_login g on g.id = m.login_id join console_link l on l.id = g.link_id
    )
    select 1 from makers where login_id = ${formerId}`;
  return found > 0;
}
