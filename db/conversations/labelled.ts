import { z } from 'zod';
import type { Scope } from '../../domain/scope.ts';
import { one, row } from '../rows.ts';
import type { Queries } from '../tx.ts';
import { findConversations } from './conversation.ts';
import type { Conversation } from './conversation.ts';

const PageRow = z.object({ ids: z.array(z.string()), total: z.int() });

/** Lists a session's conversations whose chats have a label, newest first; `total` counts all pages. */
export async function listLabelled(
  queries: Queries,
  scope: Scope,
  page: { sessionId: string; label: string; limit: number; offset: number },
): Promise<{ conversations: Conversation[]; total: number }> {
  const { agencyId, tenantId } = scope;
  const { sessionId, label, limit, offset } = page;
  const { ids, total } = await one(queries, PageRow)`
    with labelled as (
      select chat_id from chat_label where session_id = ${sessionId} and label_id = ${label} and is_set
    ), found as (
      select c.id, c.last_message_at from labelled l
        join conversation c on c.chat_id = l.chat_id and c.session_id = ${sessionId}
      where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.last_message_at is not null
      union
      select c.id, c.last_message_at from labelled l
        join contact_alias a on a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = l.chat_id
        join conversation c on c.contact_id = a.contact_id and c.session_id = ${sessionId}
      where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.last_message_at is not null
    )
    select (select count(*) from found)::integer as total, array(
      select id from found order by last_message_at desc, id limit ${limit} offset ${offset}) as ids`;
  const conversations = await findConversations(queries, scope, ids);
  const places = new Map(ids.map((id, place) => [id, place]));
  return { conversations: conversations.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0)), total };
}

const ChatRow = z.object({ conversationId: z.string(), contactId: z.string().nullable(), chatId: z.string() });

/** Finds the conversation of a session with the contact, or with the chat by any address of its contact. */
export async function findConversationOf(
  queries: Queries,
  { agencyId, tenantId, sessionId }: { agencyId: string; tenantId: string; sessionId: string },
  named: { contactId: string } | { chatId: string },
): Promise<z.infer<typeof ChatRow> | undefined> {
  if ('contactId' in named) {
    return row(queries, ChatRow)`
      select id as "conversationId", contact_id as "contactId", chat_id as "chatId" from conversation
      where contact_id = ${named.contactId} and session_id = ${sessionId} and agency_id = ${agencyId}
        and tenant_id = ${tenantId}`;
  }
  return row(queries, ChatRow)`
    select c.id as "conversationId", c.contact_id as "contactId", c.chat_id as "chatId" from conversation c
    where c.session_id = ${sessionId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}
      and c.merged_into is null and (c.chat_id = ${named.chatId} or c.contact_id = (
        select a.contact_id from contact_alias a
        where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = ${named.chatId}))
    limit 1`;
}
