import { z } from 'zod';
import type { StoredMedia } from '../../domain/network/network-event.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { readKnownContacts, tellContact } from './known-contact.ts';
import type { Account } from './known-contact.ts';

const Picture = z.object({ key: z.string(), sizeBytes: z.int(), sha256: z.string(), mimeType: z.string() });
export type Picture = StoredMedia & { mimeType: string };

const PictureRow = z.object({ picture: Picture.nullable() });

/**
 * Finds a contact's picture by the contact's id alone, because the signature of its address has shown that the engine
 * made it.
 */
export async function findPicture(queries: Queries, contactId: string): Promise<Picture | null> {
  const found = await row(queries, PictureRow)`select picture from contact where id = ${contactId}`;
  return found?.picture ?? null;
}

/** Notes that the network was asked for a picture, which could not be fetched; wakes the reader who waits for it. */
export async function notePictureAsked(tx: Tx, account: Account, contactId: string): Promise<void> {
  await run(tx)`
    update contact set picture_asked_at = ${tx.now}
    where id = ${contactId} and agency_id = ${account.agencyId} and tenant_id = ${account.tenantId}`;
  tx.wake('message', contactId);
}

/** Records the picture that the network shows of a person, or that it shows none; wakes the reader who waits for it. */
export async function recordPicture(
  tx: Tx,
  account: Account,
  { contactId, picture }: { contactId: string; picture: Picture | null },
): Promise<void> {
  const [before] = await readKnownContacts(tx, account.sessionId, [contactId]);
  await run(tx)`
    update contact set picture_asked_at = ${tx.now},
      picture = ${picture === null ? null : JSON.stringify(picture)}::jsonb
    where id = ${contactId} and agency_id = ${account.agencyId} and tenant_id = ${account.tenantId}`;
  const shown = picture?.sha256 ?? null;
  if (before && before.picture !== shown) {
    tellContact(tx, account, { contact: { ...before, picture: shown }, changed: ['picture'] });
  }
  tx.wake('message', contactId);
}

const AccountPicture = z.object({ picture: Picture.nullable(), askedAt: Timestamp.nullable() });

/** Reads the picture of an account, and when the network was last asked for it; by the session's id alone, as above. */
export async function readAccountPicture(
  queries: Queries,
  sessionId: string,
): Promise<z.output<typeof AccountPicture> | undefined> {
  return row(queries, AccountPicture)`
    select picture, picture_asked_at as "askedAt" from session where id = ${sessionId}`;
}

/**
 * Records the picture that the network shows of an account, or that it shows none; wakes the reader who waits for it.
 * `unknown` is one that could not be fetched, which leaves the one that is stored.
 */
export async function recordAccountPicture(
  tx: Tx,
  sessionId: string,
  picture: Picture | null | 'unknown',
): Promise<void> {
  const isKnown = picture !== 'unknown';
  await run(tx)`
    update session set picture_asked_at = ${tx.now},
      picture = case when ${isKnown}::boolean
        then ${isKnown && picture !== null ? JSON.stringify(picture) : null}::jsonb else picture end
    where id = ${sessionId}`;
  tx.wake('message', sessionId);
}

/** Has the network asked anew for the picture of an account, which was just changed. */
export async function forgetAccountPicture(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`update session set picture = null, picture_asked_at = null where id = ${sessionId}`;
}

const Wanted = z.object({ contactId: z.string(), chatId: z.string() });

/** The contact whose picture is asked for, with the address to ask with; null when it is not the account's tenant's. */
export async function findPictured(queries: Queries, account: Account, contactId: string): Promise<string | null> {
  const found = await row(queries, Wanted)`
    select id as "contactId", chat_id as "chatId" from contact
    where id = ${contactId} and agency_id = ${account.agencyId} and tenant_id = ${account.tenantId}`;
  return found?.chatId ?? null;
}

/** Lists those whom the account has talked with last and whose picture was not asked for since that time. */
export async function listUnpictured(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Account,
  { since, limit }: { since: Date; limit: number },
): Promise<string[]> {
  const wanted = await rows(queries, Wanted)`
    select k.id as "contactId", k.chat_id as "chatId" from (
      select contact_id, last_message_at from conversation
      where agency_id = ${agencyId} and tenant_id = ${tenantId} and session_id = ${sessionId}
        and last_message_at is not null and contact_id is not null
      order by last_message_at desc nulls last, id limit ${limit}) c
    join contact k on k.id = c.contact_id
    where k.picture_asked_at is null or k.picture_asked_at < ${since}
    order by c.last_message_at desc`;
  return wanted.map(({ contactId }) => contactId);
}

const Asked = z.object({ id: z.string() });

/**
 * Notes that the pictures of these contacts are being asked for, where the network was never asked; returns which those
 * are. So each is asked for once by a list of chats, whether it comes or not.
 */
export async function notePicturesAsked(tx: Tx, account: Account, contactIds: readonly string[]): Promise<string[]> {
  const asked = await rows(tx, Asked)`
    update contact set picture_asked_at = ${tx.now}
    where id = any(${[...contactIds]}::text[]) and agency_id = ${account.agencyId}
      and tenant_id = ${account.tenantId} and picture_asked_at is null
    returning id`;
  return asked.map(({ id }) => id);
}
