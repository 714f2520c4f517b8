import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { one, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** By whom the rows of a person are found. */
export const Subject = z.object({
  /** The contact, and those that were merged into it. */
  contactIds: z.array(z.string()),
  /** Their conversations, and those that were merged into these. */
  conversationIds: z.array(z.string()),
  /** Their addresses at the network. */
  chatIds: z.array(z.string()),
  /** Fragments that every text with one of the addresses or ids contains. */
  needles: z.array(z.string()),
});
export type Subject = z.output<typeof Subject>;

const SubjectRow = Subject.omit({ needles: true }).extend({ own: z.array(z.string()) });

/** Below this length a part of an address may stand in a text by chance. */
const MIN_NEEDLE_LENGTH = 6;

/** Reads who a contact is. An address that belongs to another contact by now is not theirs. */
async function readSubject(queries: Queries, { agencyId, tenantId }: TenantScope, contactId: string): Promise<Subject> {
  const { own, ...found } = await one(queries, SubjectRow)`
    with recursive person as (
      select ${contactId}::text as id
      union
      select g.from_contact_id from contact_merge g join person p on p.id = g.into_contact_id
      where g.from_contact_id is not null and g.undone_at is null
    ), talk as (
      select k.id, k.chat_id from conversation k join person p on p.id = k.contact_id
      union
      select k.id, k.chat_id from conversation k join talk t on t.id = k.merged_into
    ), address as (
      select a.chat_id from contact_alias a join person p on p.id = a.contact_id
      union select c.chat_id from contact c join person p on p.id = c.id
      union select t.chat_id from talk t
      union select unnest(g.chat_ids) from contact_merge g join person p on p.id = g.into_contact_id
      where g.undone_at is null
    )
    select array(select id from person order by id) as "contactIds",
      array(select id from talk order by id) as "conversationIds",
      array(select d.chat_id from address d where not exists (
        select 1 from contact_alias o where o.agency_id = ${agencyId} and o.tenant_id = ${tenantId}
          and o.chat_id = d.chat_id and o.contact_id not in (select id from person)) order by 1) as "chatIds",
      array(select a.address from session s cross join lateral (values (s.chat_id), (s.lid)) a(address)
        where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId} and a.address is not null) as own`;
  return { ...found, needles: needlesOf(found, own) };
}

/**
 * The parts of addresses before the `@`, because texts name them in several writings, and the ids. Addresses of the
 * tenant's own accounts are omitted, because nearly every text contains them.
 */
function needlesOf(
  { contactIds, conversationIds, chatIds }: Omit<Subject, 'needles'>,
  own: readonly string[],
): string[] {
  const ownParts = new Set(own.map(localPart));
  const parts = chatIds.map(localPart).filter((part) => part.length >= MIN_NEEDLE_LENGTH && !ownParts.has(part));
  return [...new Set([...parts, ...contactIds, ...conversationIds])];
}

function localPart(chatId: string): string {
  return chatId.replace(/[:@].*$/, '');
}

const Now = z.object({ contactId: z.string() });

/**
 * Locks everything of the person whom an erasure is about, and answers who that is now. Merges, and their ends, move
 * rows under other ids while the erasure waits: what was found before may be of somebody else by now, who was taken
 * apart since, or be a part of the person only. The rows tell no more once they are deleted, so from then on it is the
 * subject of that moment.
 */
export async function lockSubject<E extends Erased>(tx: Tx, erasure: E): Promise<{ erasure: E; subject: Subject }> {
  if (erasure.erasedAt !== null && erasure.subject !== null) return { erasure, subject: erasure.subject };
  const asked = erasure.askedContactId ?? erasure.contactId;
  for (let locked = ''; ;) {
    const { contactId } = await one(tx, Now)`select contact_now(${asked}) as "contactId"`;
    const subject = await readSubject(tx, erasure, contactId);
    const { contactIds, conversationIds } = subject;
    const found = JSON.stringify([contactIds, conversationIds]);
    if (found === locked) return { erasure: { ...erasure, contactId }, subject };
    await run(tx)`select lock_people(${contactIds}::text[], ${conversationIds}::text[])`;
    // Old messages of somebody who was taken apart may still be in the person's conversation.
    await run(tx)`select finish_undoing(${contactIds}::text[])`;
    locked = found;
  }
}

interface Erased extends TenantScope {
  contactId: string;
  askedContactId: string | null;
  subject: Subject | null;
  erasedAt: Date | null;
}

const Left = z.object({ left: z.int() });

/** Counts what is left of the person's own rows, by a look of its own: an erasure with any of them is not done. */
export async function countLeft(
  queries: Queries,
  { askedContactId, contactId }: { askedContactId: string | null; contactId: string },
  { contactIds, conversationIds }: Subject,
): Promise<number> {
  const ids = [...new Set([...contactIds, contactId, askedContactId ?? contactId])];
  const { left } = await one(queries, Left)`
    select ((select count(*) from contact where id = any(${ids}::text[]))
      + (select count(*) from contact_alias where contact_id = any(${ids}::text[]))
      + (select count(*) from conversation
        where id = any(${conversationIds}::text[]) or contact_id = any(${ids}::text[]))
      + (select count(*) from message where conversation_id = any(${conversationIds}::text[])))::int as left`;
  return left;
}

/** The patterns with which `like any` finds the needles. */
export function patternsOf({ needles }: Subject): string[] {
  return needles.map((needle) => `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
}
