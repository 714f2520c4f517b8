import { z } from 'zod';
import type { MediaGone } from '../../domain/sending/media-error.ts';
import { NETWORK_KINDS, NetworkMedia } from '../../domain/network/network-event.ts';
import type { StoredMedia } from '../../domain/network/network-event.ts';
import type { ThumbnailState } from '../../domain/network/thumbnail.ts';
import { IdRow } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** Promises the workflow that fetches a message's file; `tells` when dashboards wait for it. */
export async function promiseFetch(tx: Tx, messageId: string, { tells }: { tells: boolean }): Promise<void> {
  await run(tx)`select fetch_media(${messageId}, ${tells}, ${tx.now})`;
  tx.wake('dispatch');
}

/**
 * Promises the fetch of a file that somebody asks for and that is not in the store: it was never fetched, or is lost.
 * False for one that nobody could give. A fetch that is under way is left alone.
 */
export async function promiseAskedFile(tx: Tx, messageId: string): Promise<boolean> {
  const promised = await run(tx)`
    with asked as (
      update media_fetch set background = false where message_id = ${messageId} and background
    )
    select fetch_media(id, false, ${tx.now}) from message
    where id = ${messageId} and network_id is not null and media is not null
      and not starts_with(coalesce(media->>'error', ''), 'media_')`;
  if (promised > 0) tx.wake('dispatch');
  return promised > 0;
}

export async function isBeingFetched(queries: Queries, messageId: string): Promise<boolean> {
  return (await run(queries)`select 1 from media_fetch where message_id = ${messageId}`) > 0;
}

const Promised = z.object({ promised: z.int(), nextFrom: z.string() });

/**
 * Promises files of histories that nobody waits for (`files.sql`): looks at so many sessions from this one on, and
 * answers where the next look begins.
 */
export async function fetchHistoryFiles(
  tx: Tx,
  from: string,
  bounds: { look: number; days: number; perSession: number; inAll: number },
): Promise<z.output<typeof Promised>> {
  const { look, days, perSession, inAll } = bounds;
  const found = await one(tx, Promised)`
    select promised, next_from as "nextFrom"
    from fetch_history_files(${from}, ${look}, ${days}, ${perSession}, ${inAll}, ${tx.now})`;
  if (found.promised > 0) tx.wake('dispatch');
  return found;
}

/** Ends a fetch that nobody waits for without a word, so that it is promised again; false where somebody waits. */
export async function putOffFetch(tx: Tx, messageId: string): Promise<boolean> {
  return (await run(tx)`delete from media_fetch where message_id = ${messageId} and background`) > 0;
}

const MediaToFetch = z.object({
  messageId: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  /** Null once the message is gone. */
  media: NetworkMedia.nullable(),
  kind: z.enum(NETWORK_KINDS).catch('other'),
  fromMe: z.boolean(),
  networkId: z.string().nullable(),
  chatId: z.string(),
  participant: z.string().nullable(),
  sessionId: z.string(),
  /** Whether nobody waits for the file. */
  background: z.boolean(),
  /** Whether the message was revoked by a sender whose wish the tenant follows with files, too. */
  isRevoked: z.boolean(),
  session: z.object({ name: z.string(), backend: z.string(), platform: z.string().nullable(), isGone: z.boolean() }),
});
/** A file that is to be fetched, with all by which the backend can be asked for it. */
export type MediaToFetch = z.output<typeof MediaToFetch>;

/** Finds what a workflow has to fetch; null when the fetch has ended. */
export async function findMediaToFetch(queries: Queries, messageId: string): Promise<MediaToFetch | null> {
  const found = await row(queries, MediaToFetch)`
    select m.id as "messageId", m.agency_id as "agencyId", m.tenant_id as "tenantId", m.media,
      m.kind, m.direction = 'out' as "fromMe",
      m.network_id as "networkId", coalesce(m.chat_id, c.chat_id) as "chatId", m.participant,
      m.session_id as "sessionId", f.background,
      m.revoked_at is not null and t.settings->'deleteRevokedMedia' is not distinct from 'true' as "isRevoked",
      jsonb_build_object('name', s.name, 'backend', s.backend, 'platform', s.platform,
        'isGone', s.deleted_at is not null) as session
    from media_fetch f join message m on m.id = f.message_id join conversation c on c.id = m.conversation_id
    join session s on s.id = m.session_id join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where f.message_id = ${messageId} and not is_seen_once(m.content)`;
  return found ?? null;
}

/** Why a fetch has ended without the file, for good. */
export type FetchError = MediaGone;
export type FetchEnd =
  | { stored: StoredMedia; mimeType: string; fileName: string | null; thumbnail?: ThumbnailState }
  | { error: FetchError };

const Ended = z.object({
  messageId: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  media: NetworkMedia,
  tells: z.boolean(),
});
export type EndedFetch = z.output<typeof Ended>;

/**
 * Records the end of a fetch with the message's file; null when it had ended before. The backend's address is forgotten
 * with it, because nothing is behind it any more.
 */
export async function recordFetchEnd(tx: Tx, messageId: string, end: FetchEnd): Promise<EndedFetch | null> {
  const media = 'error' in end ? { url: null, error: end.error } : { ...end, url: null, error: null };
  const ended = await row(tx, Ended)`
    with ended as (
      delete from media_fetch where message_id = ${messageId} returning message_id, tells
    )
    update message m set updated_at = ${tx.now},
      media = (coalesce(m.media, '{"mimeType": null, "fileName": null}') - 'stored' - 'thumbnail')
        || ${JSON.stringify(media)}::jsonb
    -- A report may have marked the message meanwhile, and then its file is not kept.
    from ended e where m.id = e.message_id and not is_seen_once(m.content)
    returning m.id as "messageId", m.agency_id as "agencyId", m.tenant_id as "tenantId", m.session_id as "sessionId",
      m.conversation_id as "conversationId", m.contact_id as "contactId", m.media, e.tells`;
  // A reader may wait for it.
  tx.wake('message', messageId);
  return ended ?? null;
}

/** Lists the messages whose fetch began before that time, the oldest first. */
export async function listFetchesBefore(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select message_id as id from media_fetch where created_at < ${before} order by created_at limit ${limit}
    for update skip locked`;
  return found.map(({ id }) => id);
}
