import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { identityOf } from '../../domain/contact.ts';
import type { ContactChange } from '../../domain/contact.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { mediaLinksOf } from './media-links.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { row, rows } from '../engine/rows.ts';

/** An account's session, with its tenant. */
export type Account = TenantScope & { sessionId: string };

/** A person as one account knows them. `picture` is the digest of the picture that is stored. */
const KnownContact = z
  .object({
    contactId: z.string(),
    chatId: z.string(),
    name: z.string().nullable(),
    pushName: z.string().nullable(),
    isBlocked: z.boolean(),
    isOptedOut: z.boolean(),
    isMyContact: z.boolean(),
    picture: z.string().nullable(),
    pictureAskedAt: z.string().nullable(),
    aliases: z.array(z.string()),
  })
  .transform((contact) => ({ ...contact, ...identityOf(contact.chatId, contact.aliases) }));
export type KnownContact = z.output<typeof KnownContact>;

/** The columns of a contact `k` with what its session says of it, `l`. */
const COLUMNS = sql`k.id as "contactId", k.chat_id as "chatId", coalesce(l.name, k.name) as name,
  k.push_name as "pushName", coalesce(l.is_blocked, false) as "isBlocked",
  k.opted_out_at is not null as "isOptedOut",
  coalesce(l.is_my_contact, false) as "isMyContact",
  k.picture->>'sha256' as picture, k.picture_asked_at::text as "pictureAskedAt",
  array(select a.chat_id from contact_alias a where a.contact_id = k.id order by a.chat_id) as aliases`;

/**
 * Lists the contacts of a session in the order of their ids, in which each page costs the same. A contact that was
 * merged into another has no addresses any more and is left out.
 */
export async function listKnownContacts(
  queries: Queries,
  sessionId: string,
  { after, limit, offset }: { after: string | null; limit: number; offset: number },
): Promise<KnownContact[]> {
  return rows(queries, KnownContact)`
    select ${COLUMNS} from (
      select s.* from session_contact s
      where s.session_id = ${sessionId} and s.contact_id > ${after ?? ''}
        -- With exists, the planner may read the aliases of all tenants; with a limit it cannot.
        and (select true from contact_alias a where a.contact_id = s.contact_id limit 1) is true
      order by s.contact_id limit ${limit} offset ${offset}) l
    join contact k on k.id = l.contact_id order by k.id`;
}

/** Reads these contacts as the session knows them. */
export async function readKnownContacts(
  queries: Queries,
  sessionId: string,
  contactIds: readonly string[],
): Promise<KnownContact[]> {
  return rows(queries, KnownContact)`
    select ${COLUMNS} from contact k
    left join session_contact l on l.session_id = ${sessionId} and l.contact_id = k.id
    where k.id = any(${contactIds}::text[])`;
}

/** A contact by its id or by one of its addresses. */
export type NamedContact = { contactId: string } | { chatId: string };

const Found = z.object({ sessionId: z.string().nullable(), contact: z.unknown() });

/**
 * Finds a contact in one statement, and the session whose view of the contact is shown: the named one, else that of
 * the key, else the tenant's default. The id of a contact that was merged into another leads to the contact that
 * stays. The key of a session reaches those whom its account knows or has talked with.
 */
export async function findKnownContact(
  queries: Queries,
  scope: Scope,
  { named, session }: { named: NamedContact; session: string | undefined },
): Promise<{ sessionId: string | null; contact: KnownContact | null }> {
  const { agencyId, tenantId, sessionId: ofKey } = scope;
  const found = await row(queries, Found)`
    with viewer as (
      select s.id from session s
      where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId} and s.wish <> 'deleted'
        and s.id = coalesce(${ofKey}, s.id)
        and case when ${session ?? null}::text is not null then ${session ?? null} in (s.id, s.name)
          else ${ofKey}::text is not null or s.is_default end limit 1
    ), known as (
      select ${COLUMNS} from (${whose(scope, named)}) w join contact k on k.id = w.id
      left join session_contact l on l.contact_id = k.id and l.session_id = (select id from viewer)
      where ${ofKey}::text is null or l.contact_id is not null
        or exists (select 1 from conversation c where c.contact_id = k.id and c.session_id = ${ofKey})
    )
    select (select id from viewer) as "sessionId", (select to_jsonb(known) from known) as contact`;
  const contact = found?.contact ?? null;
  return { sessionId: found?.sessionId ?? null, contact: contact === null ? null : KnownContact.parse(contact) };
}

function whose({ agencyId, tenantId }: TenantScope, named: NamedContact): RawBuilder<unknown> {
  return 'chatId' in named
    ? sql`select contact_id as id from contact_alias
        where agency_id = ${agencyId} and tenant_id = ${tenantId} and chat_id = ${named.chatId}`
    : sql`select coalesce(a.contact_id, c.id) as id from contact c
        left join contact_alias a on a.agency_id = c.agency_id and a.tenant_id = c.tenant_id and a.chat_id = c.chat_id
        where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.id = ${named.contactId}`;
}

/** Tells dashboards what is other than before of contacts of a session. */
export function tellContact(
  tx: Tx,
  { agencyId, tenantId, sessionId }: TenantScope & { sessionId: string },
  { contact, changed }: { contact: KnownContact; changed: ContactChange[] },
): void {
  const { contactId, chatId, phone, lid, name, pushName, isBlocked, isOptedOut, isMyContact, aliases } = contact;
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  tx.emit({
    event: 'contact.updated',
    agencyId,
    tenantId,
    sessionId,
    conversationId: null,
    payload: {
      sessionId,
      contactId,
      chatId,
      phone,
      lid,
      name,
      pushName,
      isBlocked,
      isOptedOut,
      isMyContact,
      aliases,
      picture: contact.picture === null ? null : mediaLinksOf(tx).urlOf(contactId),
      changed,
      timestamp,
    },
  });
}
