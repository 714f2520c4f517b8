import { z } from 'zod';
import type { MediaErrorCode } from '../../domain/sending/media-error.ts';
import { NETWORK_KINDS, NetworkMedia } from '../../domain/network/network-event.ts';
import type { StoredMedia } from '../../domain/network/network-event.ts';
import { IdRow } from '../columns.ts';
import { row, rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';

/** Promises the workflow that fetches a message's file; `tells` when dashboards wait for it. */
export async function promiseFetch(tx: Tx, messageId: string, { tells }: { tells: boolean }): Promise<void> {
  await run(tx)`select fetch_media(${messageId}, ${tells}, ${tx.now})`;
  tx.wake('dispatch');
}

/**
 * Promises the fetch of a file that should be in the store and is not; false for one that nobody could give again. A
 * fetch that is under way is left alone.
 */
export async function promiseLostFile(tx: Tx, messageId: string): Promise<boolean> {
  const promised = await run(tx)`
    select fetch_media(id, false, ${tx.now}) from message
    where id = ${messageId} and direction = 'in' and network_id is not null`;
  if (promised > 0) tx.wake('dispatch');
  return promised > 0;
}

const MediaToFetch = z.object({
  messageId: z.string(),
  agencyId: z.string(),
  /** Null once the message is gone. */
  media: NetworkMedia.nullable(),
  kind: z.enum(NETWORK_KINDS).catch('other'),
  fromMe: z.boolean(),
  networkId: z.string().nullable(),
  chatId: z.string(),
  participant: z.string().nullable(),
  session: z.object({ name: z.string(), backend: z.string(), platform: z.string().nullable(), isGone: z.boolean() }),
});
/** A file that is to be fetched, with all by which the backend can be asked for it. */
export type MediaToFetch = z.output<typeof MediaToFetch>;

/** Finds what a workflow has to fetch; null when the fetch has ended. */
export async function findMediaToFetch(queries: Queries, messageId: string): Promise<MediaToFetch | null> {
  const found = await row(queries, MediaToFetch)`
    select m.id as "messageId", m.agency_id as "agencyId", m.media, m.kind, m.direction = 'out' as "fromMe",
      m.network_id as "networkId", coalesce(m.chat_id, c.chat_id) as "chatId", m.participant,
      jsonb_build_object('name', s.name, 'backend', s.backend, 'platform', s.platform,
        'isGone', s.deleted_at is not null) as session
    from media_fetch f join message m on m.id = f.message_id join conversation c on c.id = m.conversation_id
    join session s on s.id = m.session_id
    where f.message_id = ${messageId}`;
  return found ?? null;
}

/** Why a fetch has ended without the file, for good. */
export type FetchError = Exclude<MediaErrorCode, 'media_pending'>;
export type FetchEnd = { stored: StoredMedia; mimeType: string; fileName: string | null } | { error: FetchError };

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
      media = (coalesce(m.media, '{"mimeType": null, "fileName": null}') - 'stored') || ${JSON.stringify(media)}::jsonb
    from ended e where m.id = e.message_id
    returning m.id as "messageId", m.agency_id as "agencyId", m.tenant_id as "tenantId", m.session_id as "sessionId",
      m.conversation_id as "conversationId", m.contact_id as "contactId", m.media, e.tells`;
  return ended ?? null;
}

/** Lists the messages whose fetch began before that time, the oldest first. */
export async function listFetchesBefore(tx: Tx, before: Date, limit: number): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select message_id as id from media_fetch where created_at < ${before} order by created_at limit ${limit}
    for update skip locked`;
  return found.map(({ id }) => id);
}
