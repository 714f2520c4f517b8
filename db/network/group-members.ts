import { z } from 'zod';
import { GROUP_ROLES } from '../../domain/network/group.ts';
import type { NetworkGroup } from '../../domain/network/group.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../columns.ts';
import { row, rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';

const Member = z.object({
  chatId: z.string(),
  /** The phone that the network names, or that the contact is known by. */
  phoneChatId: z.string().nullable(),
  role: z.enum(GROUP_ROLES),
  /** Somebody with whom the tenant has talked; nobody becomes a contact by being in a group. */
  contactId: z.string().nullable(),
  name: z.string().nullable(),
});
export type Member = z.output<typeof Member>;

const MembersAt = z.object({ at: Timestamp.nullable() });

/** Lists who is in a group, as the network last said, with those of them who are contacts of the tenant. */
export async function listMembers(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  conversationId: string,
): Promise<Member[]> {
  return rows(queries, Member)`
    select g.chat_id as "chatId", g.role, k.id as "contactId", coalesce(k.name, k.push_name) as name,
      coalesce(g.phone_chat_id, case when k.chat_id like '%@c.us' then k.chat_id end) as "phoneChatId"
    from group_member g
    left join lateral (
      select a.contact_id from contact_alias a
      where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id in (g.chat_id, g.phone_chat_id)
      order by a.chat_id = g.chat_id desc limit 1) known on true
    left join contact k on k.id = known.contact_id
    where g.conversation_id = ${conversationId}
    order by g.role = 'participant', g.chat_id`;
}

/** Reads when the network last said who is in a group; null before it has. */
export async function findMembersAt(queries: Queries, conversationId: string): Promise<Date | null> {
  const found = await row(queries, MembersAt)`
    select members_at as at from conversation where id = ${conversationId}`;
  return found?.at ?? null;
}

/** Records what the network says of a group: its name, and who is in it now. Takes the conversation's lock. */
export async function recordGroup(tx: Tx, conversationId: string, { name, members }: NetworkGroup): Promise<void> {
  await run(tx)`
    update conversation set name = coalesce(${name}, name), members_at = ${tx.now} where id = ${conversationId}`;
  await run(tx)`
    with listed as (
      select distinct on ("chatId") "chatId", "phoneChatId", role
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as l("chatId" text, "phoneChatId" text, role text)
    ), gone as (
      delete from group_member g where g.conversation_id = ${conversationId}
        and not exists (select 1 from listed l where l."chatId" = g.chat_id)
    )
    insert into group_member as g (conversation_id, chat_id, phone_chat_id, role)
    select ${conversationId}, "chatId", "phoneChatId", role from listed
    on conflict (conversation_id, chat_id) do update set phone_chat_id = excluded.phone_chat_id, role = excluded.role
      where (g.phone_chat_id, g.role) is distinct from (excluded.phone_chat_id, excluded.role)`;
}
