import { z } from 'zod';
import { WORKING } from '../../domain/sessions/session.ts';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const Made = z.object({ id: z.string() });

/** Makes the session's link. The one before, opened or not, is good for nothing from then on. */
export async function makeConnectLink(
  tx: Tx,
  { sessionId, maker, expiresAt }: { sessionId: string; maker: string; expiresAt: Date },
): Promise<string> {
  const { id } = await one(tx, Made)`
    insert into connect_link (session_id, id, maker, created_at, expires_at)
    values (${sessionId}, ${newId('lnk')}, ${maker}, ${tx.now}, ${expiresAt})
    on conflict (session_id) do update set id = excluded.id, maker = excluded.maker, created_at = excluded.created_at,
      expires_at = excluded.expires_at, holder = null, opened_at = null, connected_at = null, codes_asked = 0
    returning id`;
  return id;
}

const WorkingRow = z.object({
  sessionId: z.string(),
  madeBy: z.string().nullable(),
  loginId: z.string().nullable(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  openedAt: Timestamp.nullable(),
  connectedAt: Timestamp.nullable(),
});

/** Finds the session's link, if it works; of one key or console link only unless `maker` is null. */
export async function findConnectLink(
  queries: Queries,
  sessionId: string,
  maker: string | null,
): Promise<z.output<typeof WorkingRow> | undefined> {
  return row(queries, WorkingRow)`
    select session_id as "sessionId", maker_credential(maker) as "madeBy",
      case when starts_with(maker, 'clg_') then maker end as "loginId", created_at as "createdAt",
      expires_at as "expiresAt", opened_at as "openedAt", connected_at as "connectedAt"
    from connect_link where session_id = ${sessionId} and connect_link_works(id, ${queries.now})
      and (${maker}::text is null or maker_credential(maker) = ${maker})`;
}

/** Ends the session's link, of one maker only unless that is null. False if it has none that works. */
export async function endConnectLink(tx: Tx, sessionId: string, maker: string | null): Promise<boolean> {
  const ended = await run(tx)`
    update connect_link set expires_at = ${tx.now}
    where session_id = ${sessionId} and connect_link_works(id, ${tx.now})
      and (${maker}::text is null or maker_credential(maker) = ${maker})`;
  return ended > 0;
}

const OpenedRow = z.object({ sessionId: z.string(), isConnected: z.boolean() });

const AgencyRow = z.object({ agencyId: z.string() });

/** Finds the agency of a link, whether the link works or not. */
export async function findLinkAgency(queries: Queries, id: string): Promise<string | null> {
  const found = await row(queries, AgencyRow)`
    select s.agency_id as "agencyId" from connect_link l join session s on s.id = l.session_id where l.id = ${id}`;
  return found?.agencyId ?? null;
}

/** Tells whether the link waits to be opened. */
export async function mayBeOpened(queries: Queries, id: string): Promise<boolean> {
  const found = await row(queries, Made)`
    select l.id from connect_link l
    where l.id = ${id} and l.holder is null and connect_link_works(l.id, ${queries.now})`;
  return found !== undefined;
}

/** Binds the link to one browser. False where it is not there, not good any more, or another browser's. */
export async function openConnectLink(tx: Tx, id: string, cookie: string): Promise<boolean> {
  const opened = await run(tx)`
    update connect_link l set holder = ${tx.secrets.digest(cookie)}, opened_at = ${tx.now}
    where l.id = ${id} and l.holder is null and connect_link_works(l.id, ${tx.now})`;
  return opened > 0;
}

/** Finds the link that this browser has opened; undefined for any other browser. */
export async function findOpenedLink(
  queries: Queries,
  id: string,
  cookie: string,
): Promise<z.output<typeof OpenedRow> | undefined> {
  return row(queries, OpenedRow)`
    select l.session_id as "sessionId", l.connected_at is not null as "isConnected"
    from connect_link l
    where l.id = ${id} and l.holder = any(${queries.secrets.digests(cookie)}::bytea[])
      and connect_link_works(l.id, ${queries.now})`;
}

/** Ends the link's use once an account is connected: it connects one account, once. */
export async function recordConnected(tx: Tx, id: string): Promise<void> {
  await run(tx)`
    update connect_link l set connected_at = ${tx.now} from session s
    where l.id = ${id} and l.connected_at is null and s.id = l.session_id and s.status = ${WORKING}`;
}

/** Counts a pairing code that is asked for by the link; false when there were as many as there may be. */
export async function countCode(tx: Tx, id: string, maxCodes: number): Promise<boolean> {
  const counted = await run(tx)`
    update connect_link set codes_asked = codes_asked + 1 where id = ${id} and codes_asked < ${maxCodes}`;
  return counted > 0;
}
