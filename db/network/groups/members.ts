import { sql } from 'kysely';
import { z } from 'zod';
import { phoneOfChatId } from '../../../domain/network/chat-id.ts';
import { GROUP_ROLES } from '../../../domain/group.ts';
import type { GroupRole } from '../../../domain/group.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { MEMBER_CHANGES } from '../../../domain/webhooks/group-payload.ts';
import { Timestamp } from '../../engine/columns.ts';
import { row, rows } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

const Member = z
  .object({
    chatId: z.string(),
    /** The phone that the network names, or that the contact is known by. */
    phoneChatId: z.string().nullable(),
    role: z.enum(GROUP_ROLES),
    /** Somebody with whom the tenant has talked; nobody becomes a contact by being in a group. */
    contactId: z.string().nullable(),
    name: z.string().nullable(),
  })
  .transform((member) => ({ ...member, phone: digitsOf(member.chatId) ?? digitsOf(member.phoneChatId) }));
export type Member = z.output<typeof Member>;

function digitsOf(address: string | null): string | null {
  return address === null ? null : phoneOfChatId(address);
}

const MembersAt = z.object({ at: Timestamp.nullable() });

/**
 * Lists who is in a group, as the network last said, with those of them who are contacts of the tenant; or those of
 * these addresses, whether or not they are in it still.
 */
export async function listMembers(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  { conversationId, chatIds }: { conversationId: string; chatIds?: readonly string[] },
): Promise<Member[]> {
  const which = chatIds === undefined ? sql`g.is_member` : sql`g.chat_id = any(${chatIds}::text[])`;
  return rows(queries, Member)`
    select g.chat_id as "chatId", g.role, k.id as "contactId", coalesce(k.name, k.push_name) as name,
      coalesce(g.phone_chat_id, case when is_phone(k.chat_id) then k.chat_id end) as "phoneChatId"
    from group_member g
    left join lateral (
      select a.contact_id from contact_alias a
      where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id in (g.chat_id, g.phone_chat_id)
      order by a.chat_id = g.chat_id desc limit 1) known on true
    left join contact k on k.id = known.contact_id
    where g.conversation_id = ${conversationId} and ${which}
    order by g.role = 'participant', g.chat_id`;
}

/** Reads when the network last said who is in a group; null before it has. */
export async function findMembersAt(queries: Queries, conversationId: string): Promise<Date | null> {
  const found = await row(queries, MembersAt)`
    select members_at as at from conversation where id = ${conversationId}`;
  return found?.at ?? null;
}

/** Somebody of whom the network has said that they are in a group, or are not; without a role they keep theirs. */
export interface SaidMember {
  chatId: string;
  phoneChatId: string | null;
  role: GroupRole | null;
  isMember: boolean;
}

const MemberChange = z.object({
  chatId: z.string(),
  phoneChatId: z.string().nullable(),
  change: z.enum(MEMBER_CHANGES),
});
export type MemberChange = z.output<typeof MemberChange>;

/**
 * Records what the network says of members of a group, and returns whom it has changed. `isWhole` says that nobody else
 * is in it. A report of the backend has a time, by which an older one changes nothing; a reading changes nothing that
 * was reported since it began. Needs the conversation's lock.
 */
export async function recordMembers(
  tx: Tx,
  conversationId: string,
  { said, isWhole, news }: { said: readonly SaidMember[]; isWhole: boolean; news: { toldAt: Date } | { readAt: Date } },
): Promise<MemberChange[]> {
  const [toldAt, isNewer] =
    'toldAt' in news
      ? [news.toldAt, sql`g.told_at <= ${news.toldAt}::timestamptz`]
      : [null, sql`g.changed_at < ${news.readAt}::timestamptz`];
  return rows(tx, MemberChange)`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(said)}::jsonb)
        as s("chatId" text, "phoneChatId" text, role text, "isMember" boolean)
    ), said as (
      -- One person may be told of under a hidden id at first, and under the phone later.
      select distinct on (chat_id) coalesce(k.chat_id, s."chatId") as chat_id, s."phoneChatId" as phone_chat_id, s.role,
        s."isMember" as is_member
      from given s left join lateral (
        select g.chat_id from group_member g
        where g.conversation_id = ${conversationId}
          and (g.chat_id in (s."chatId", s."phoneChatId") or g.phone_chat_id in (s."chatId", s."phoneChatId"))
        order by g.chat_id = s."chatId" desc, g.chat_id limit 1) k on true
      order by chat_id
    ), before as (
      select g.chat_id, g.is_member, g.role from group_member g where g.conversation_id = ${conversationId}
    ), written as (
      insert into group_member as g (conversation_id, chat_id, phone_chat_id, role, is_member, told_at, changed_at)
      select ${conversationId}, s.chat_id, s.phone_chat_id, coalesce(s.role, 'participant'), s.is_member,
        coalesce(${toldAt}::timestamptz, '-infinity'), ${tx.now}::timestamptz from said s
      on conflict (conversation_id, chat_id) do update set
        phone_chat_id = coalesce(excluded.phone_chat_id, g.phone_chat_id), is_member = excluded.is_member,
        role = coalesce((select s.role from said s where s.chat_id = g.chat_id), g.role),
        told_at = greatest(g.told_at, excluded.told_at), changed_at = excluded.changed_at
      where ${isNewer}
      returning g.chat_id, g.phone_chat_id, g.is_member, g.role
    ), gone as (
      update group_member g set is_member = false, changed_at = ${tx.now},
        told_at = greatest(g.told_at, coalesce(${toldAt}::timestamptz, '-infinity'))
      where ${isWhole}::boolean and g.conversation_id = ${conversationId} and g.is_member and ${isNewer}
        and not exists (select 1 from said s where s.chat_id = g.chat_id)
      returning g.chat_id, g.phone_chat_id, g.is_member, g.role
    )
    select n.chat_id as "chatId", n.phone_chat_id as "phoneChatId",
      case when not n.is_member then 'left' when b.is_member then 'role' else 'joined' end as change
    from (select * from written union all select * from gone) n left join before b on b.chat_id = n.chat_id
    where b.chat_id is null or b.is_member <> n.is_member or (n.is_member and b.role <> n.role)
    order by n.chat_id`;
}
