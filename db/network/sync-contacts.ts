import { z } from 'zod';
import { ContactChange } from '../../domain/contact.ts';
import type { NetworkContact } from '../../domain/network/network-event.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { newId } from '../engine/new-id.ts';
import { withoutErasedPeople } from '../personal-data/erased-address.ts';
import { one, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { readKnownContacts, tellContact } from '../conversations/known-contact.ts';
import type { Account } from '../conversations/known-contact.ts';
import { MergeNews, tellMergeNews } from '../conversations/merge-news.ts';

const Synced = z.object({
  changed: z.int(),
  /** The places of those who are not written. */
  left: z.array(z.int()),
  /** Changed contacts that dashboards receive; empty if nothing is reported. */
  told: z.array(z.object({ contactId: z.string(), changed: z.array(ContactChange) })),
});

export interface SyncedPage {
  /** Counts the changed contacts. */
  changed: number;
  /** The contacts that are not written, because their addresses make contacts one: `ensureContact` comes first. */
  left: NetworkContact[];
}

/**
 * Writes a page of an account's list of contacts in one statement, and only what differs (`sync-contacts.sql`).
 * `tells` says whether dashboards are told; they are not told of the first reading, which is the whole list.
 */
export async function syncContactPage(
  tx: Tx,
  account: Account,
  page: { contacts: readonly NetworkContact[]; readAt: Date; tells: boolean },
): Promise<SyncedPage> {
  const { readAt, tells } = page;
  const contacts = await withoutErasedPeople(tx, account, page.contacts, ({ chatId, lid }) =>
    lid === null ? [chatId] : [chatId, lid],
  );
  const { changed, left, told } = await one(tx, Synced)`
    select count(*) filter (where contact_id is not null)::int as changed,
      coalesce(array_agg(place) filter (where contact_id is null), '{}') as left,
      coalesce(jsonb_agg(jsonb_build_object('contactId', contact_id, 'changed', changed))
        filter (where ${tells}::boolean and contact_id is not null), '[]') as told
    from sync_contacts(${account.agencyId}, ${account.tenantId}, ${account.sessionId}, ${readAt},
      ${contacts.map(({ chatId }) => chatId)}::text[], ${contacts.map(({ lid }) => lid)}::text[],
      ${contacts.map(({ name }) => name)}::text[], ${contacts.map(({ pushName }) => pushName)}::text[],
      ${contacts.map(({ isMyContact }) => isMyContact)}::boolean[],
      ${contacts.map(({ isBlocked }) => isBlocked)}::boolean[], ${contacts.map(() => newId('con'))}::text[])`;
  if (told.length > 0) await tellChanges(tx, account, new Map(told.map((each) => [each.contactId, each.changed])));
  return { changed, left: left.flatMap((place) => contacts[place - 1] ?? []) };
}

/** More new people than these in one page are a list that came late, as after a login, and are not told one by one. */
const MAX_TOLD_ADDITIONS = 50;

async function tellChanges(tx: Tx, account: Account, changes: ReadonlyMap<string, ContactChange[]>): Promise<void> {
  const isAdded = ([, changed]: [string, ContactChange[]]): boolean => changed.includes('added');
  const isLate = [...changes].filter(isAdded).length > MAX_TOLD_ADDITIONS;
  const told = new Map([...changes].filter((change) => !isLate || !isAdded(change)));
  if (told.size === 0) return;
  for (const contact of await readKnownContacts(tx, account.sessionId, [...told.keys()])) {
    tellContact(tx, account, { contact, changed: told.get(contact.contactId) ?? [] });
  }
}

const Ensured = z.object({ id: z.string(), news: MergeNews });

/**
 * Returns the contact of these addresses, and makes the contact when none of them is known. Contacts whom the addresses
 * show to be one person are merged (`contact.sql`).
 */
export async function ensureContact(tx: Tx, account: Account, chatIds: readonly string[]): Promise<string> {
  const { id, news } = await one(tx, Ensured)`
    select e.id, take_merge_news(e.id) as news
    from ensure_contact(${account.agencyId}, ${account.tenantId}, ${chatIds}::text[], null, null, ${newId('con')},
      ${account.sessionId}, null) as e`;
  tellMergeNews(tx, news);
  return id;
}

/** Returns the tenant's contact of this address, whom no account needs to know yet. */
export async function ensureTenantContact(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  chatId: string,
): Promise<string> {
  const { id, news } = await one(tx, Ensured)`
    select e.id, take_merge_news(e.id) as news
    from ensure_contact(${agencyId}, ${tenantId}, array[${chatId}]::text[], null, null, ${newId('con')}, null,
      null) as e`;
  tellMergeNews(tx, news);
  return id;
}

/** Records that the account has blocked the person, or lets them write again; tells dashboards when that is new. */
export async function recordBlocked(
  tx: Tx,
  account: Account,
  { contactId, isBlocked }: { contactId: string; isBlocked: boolean },
): Promise<void> {
  const [before] = await readKnownContacts(tx, account.sessionId, [contactId]);
  await run(tx)`
    insert into session_contact (session_id, contact_id, is_blocked, decided_at)
    values (${account.sessionId}, ${contactId}, ${isBlocked}, ${tx.now})
    on conflict (session_id, contact_id)
    do update set is_blocked = excluded.is_blocked, decided_at = excluded.decided_at`;
  if (before && before.isBlocked !== isBlocked) {
    tellContact(tx, account, { contact: { ...before, isBlocked }, changed: ['isBlocked'] });
  }
}

/**
 * Records that the list was read to its end. People with whom the account has talked are its contacts, too, even if the
 * network does not list them.
 */
export async function finishContactSync(tx: Tx, { agencyId, tenantId, sessionId }: Account): Promise<void> {
  await run(tx)`
    insert into session_contact (session_id, contact_id)
    select c.session_id, c.contact_id from conversation c
    where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.session_id = ${sessionId}
      and c.contact_id is not null and c.merged_into is null
      and not exists (select 1 from session_contact s where s.session_id = c.session_id and s.contact_id = c.contact_id)
    on conflict do nothing`;
  await run(tx)`update session set contacts_synced_at = ${tx.now} where id = ${sessionId}`;
  tx.wake('message', sessionId);
}
