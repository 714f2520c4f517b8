import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { one } from '../rows.ts';
import type { Queries } from '../tx.ts';

/** By whom the rows of a person are found. */
export const Subject = z.object({
  /** The contact, and those that were merged into it. */
  contactIds: z.array(z.string()),
  /** Their conversations, and those that were merged into these. */
  conversationIds: z.array(z.string()),
  /** Their addresses at the network. */
  chatIds: z.array(z.string()),
  /** What stands in every text that names one of the addresses, or one of the ids. */
  needles: z.array(z.string()),
});
export type Subject = z.output<typeof Subject>;

const SubjectRow = Subject.omit({ needles: true }).extend({ own: z.array(z.string()) });

/** Below this length a part of an address may stand in a text by chance. */
const MIN_NEEDLE_LENGTH = 6;

/** Reads who a contact is. An address that belongs to another contact by now is not theirs. */
export async function readSubject(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  contactId: string,
): Promise<Subject> {
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
 * The parts of addresses before the `@`, because texts name them in several writings, and the ids. Those of the
 * tenant's own accounts are left out: they stand in nearly every text.
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

/** Adds what was found of a person before, which the rows may not tell any more. */
export function together(one: Subject | null, other: Subject): Subject {
  if (one === null) return other;
  const both = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
  return {
    contactIds: both(one.contactIds, other.contactIds),
    conversationIds: both(one.conversationIds, other.conversationIds),
    chatIds: both(one.chatIds, other.chatIds),
    needles: both(one.needles, other.needles),
  };
}

/** The patterns with which `like any` finds the needles. */
export function patternsOf({ needles }: Subject): string[] {
  return needles.map((needle) => `%${needle.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
}
