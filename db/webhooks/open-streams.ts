import { sql } from 'kysely';
import { z } from 'zod';
import type { CredentialsSeen } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** Four refreshes were missed by then: the process was killed, or does not reach the database. */
const LOST_AFTER_SECONDS = 60;
/** A process that slept for longer writes its rows anew, but may miss an end that was asked for before. */
const FORGOTTEN_AFTER_SECONDS = 86_400;

/** A stream that a reader has open. */
export interface OpenStream {
  id: string;
  agencyId: string;
  /** The key or the console link by which it was opened; neither for the master key. */
  keyId: string | null;
  linkId: string | null;
  /** The login by which it was opened, with which it ends. */
  loginId: string | null;
  /** The only tenant and the only session that it shows; null for all. */
  tenantId: string | null;
  sessionId: string | null;
  openedAt: Date;
}

/**
 * Writes streams that the process holds, and refreshes those that are written. Another statement of the process may not
 * hold the rows of the same streams meanwhile, else the two could wait for each other.
 */
export async function keepStreams(tx: Tx, process: string, streams: readonly OpenStream[]): Promise<void> {
  await run(tx)`
    insert into open_stream (id, process, agency_id, key_id, link_id, login_id, tenant_id, session_id, opened_at,
      seen_at)
    select s.id, ${process}, s."agencyId", s."keyId", s."linkId", s."loginId", s."tenantId", s."sessionId",
      s."openedAt", clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(streams)}::jsonb) s (id text, "agencyId" text, "keyId" text, "linkId" text,
      "loginId" text, "tenantId" text, "sessionId" text, "openedAt" timestamptz)
    on conflict (id) do update set seen_at = excluded.seen_at`;
}

/** Deletes streams that have ended. */
export async function dropStreams(tx: Tx, ids: readonly string[]): Promise<void> {
  await run(tx)`delete from open_stream where id = any(${ids}::text[])`;
}

const AskedRow = z.object({ ids: z.array(z.string()) });

/** Lists those streams of the process that somebody has asked to end. */
export async function findStreamsToEnd(queries: Queries, process: string): Promise<string[]> {
  const found = await row(queries, AskedRow)`
    select array(select id from open_stream where process = ${process} and end_asked_at is not null) as ids`;
  return found?.ids ?? [];
}

const ofSeen = ({ agencyId, tenantId, maker }: CredentialsSeen) => sql`
  s.agency_id = ${agencyId}
  and (${tenantId}::text is null or coalesce(s.tenant_id, ${tenantId}) = ${tenantId})
  and (${maker}::text is null or coalesce(s.link_id, s.key_id) = ${maker})
  and s.end_asked_at is null
  and s.seen_at > clock_timestamp() - make_interval(secs => ${LOST_AFTER_SECONDS})`;

const StreamRow = z.object({
  id: z.string(),
  keyId: z.string().nullable(),
  linkId: z.string().nullable(),
  loginId: z.string().nullable(),
  tenantId: z.string().nullable(),
  sessionId: z.string().nullable(),
  openedAt: Timestamp,
});

/** Lists the streams that are open, the newest first. */
export async function listStreams(
  queries: Queries,
  seen: CredentialsSeen,
  { keyId, after, limit }: { keyId: string | null; after: { createdAt: Date; id: string } | null; limit: number },
): Promise<z.output<typeof StreamRow>[]> {
  return rows(queries, StreamRow)`
    select s.id, coalesce(s.key_id, l.key_id) as "keyId", s.link_id as "linkId", s.login_id as "loginId",
      s.tenant_id as "tenantId", s.session_id as "sessionId", s.opened_at as "openedAt"
    from open_stream s left join console_link l on l.id = s.link_id
    where ${ofSeen(seen)} and (${keyId}::text is null or coalesce(s.key_id, l.key_id) = ${keyId})
      and (${after?.id ?? null}::text is null
        or (s.opened_at, s.id) < (${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}))
    order by s.opened_at desc, s.id desc limit ${limit}`;
}

const EndedRow = z.object({ tenantId: z.string().nullable() });

/** Asks the process that holds the stream to end it. Undefined where none of this id is among those that are seen. */
export async function askStreamToEnd(
  tx: Tx,
  seen: CredentialsSeen,
  id: string,
): Promise<z.output<typeof EndedRow> | undefined> {
  const asked = await row(tx, EndedRow)`
    update open_stream s set end_asked_at = clock_timestamp() where s.id = ${id} and ${ofSeen(seen)}
    returning s.tenant_id as "tenantId"`;
  if (asked !== undefined) tx.wake('stream', id);
  return asked;
}

/** Deletes rows of processes that were killed, `limit` at most; returns how many. */
export async function forgetLostStreams(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    delete from open_stream where id = any(array(select id from open_stream
      where seen_at < clock_timestamp() - make_interval(secs => ${FORGOTTEN_AFTER_SECONDS}) limit ${limit}
      for update skip locked))`;
}
