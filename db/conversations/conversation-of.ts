import { z } from 'zod';
import { row } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

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
    -- An address says who it is now; the conversation's own may be a former one of another contact.
    order by c.contact_id is not null and c.contact_id = (select a.contact_id from contact_alias a
      where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = ${named.chatId}) desc
    limit 1`;
}
