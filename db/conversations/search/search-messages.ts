import { sql } from 'kysely';
import { z } from 'zod';
import type { SearchTerm } from '../../../domain/inbox/search-terms.ts';
import type { MessageKind } from '../../../domain/sending/message-kind.ts';
import type { Scope } from '../../../domain/scope.ts';
import { Micros, microsOf, momentOf } from '../../engine/columns.ts';
import { jsonParameter } from '../../engine/json-parameter.ts';
import { one, row, rows } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { Message } from '../message.ts';

/** The search reads this number of the newest messages one by one before it uses the index. */
const LOOKED_AT = 1_000;

const Asked = z.object({ words: z.string().nullable(), isComplete: z.boolean() });

const termsJson = jsonParameter({ text: true, isPrefix: true }, 'search_words.p_terms');

/**
 * Reads a search as the database compares words (`search-messages.sql`); `words` is null where the terms have none.
 * `isComplete` is false while messages of before the index are still being added to it.
 */
export async function readSearch(queries: Queries, terms: readonly SearchTerm[]): Promise<z.output<typeof Asked>> {
  return one(queries, Asked)`
    select search_words(${termsJson(terms)}::jsonb)::text as words,
      not exists (select 1 from message_text_fill where not is_done) as "isComplete"`;
}

/** Narrows a search. */
export interface SearchFilter {
  /** The session, and the conversations; null for all of the tenant. */
  sessionId: string | null;
  conversationIds: readonly string[] | null;
  kind: MessageKind | null;
  fromMe: boolean | null;
  since: Date | null;
  until: Date | null;
}

const Found = z.object({
  id: z.string(),
  at: Micros,
  conversationId: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  sessionChatId: z.string().nullable(),
});

/** A message that was found, with the chat that it is of and the address of the account. */
export interface FoundMessage extends z.output<typeof Found> {
  message: Message;
}

const searchJson = jsonParameter(
  {
    agencyId: true,
    tenantId: true,
    words: true,
    sessionId: true,
    conversations: true,
    kind: true,
    fromMe: true,
    since: true,
    until: true,
    limit: true,
    // The statement adds the place from which the search continues.
    at: 'optional',
    id: 'optional',
  },
  'search_messages.p',
);

/** Finds messages of the tenant, newest first, from after a place on; the key of a session finds those of its own. */
export async function searchMessages(
  queries: Queries,
  scope: Scope,
  asked: { words: string; filter: SearchFilter; after: { at: string; id: string } | null; limit: number },
): Promise<FoundMessage[]> {
  const { agencyId, tenantId } = scope;
  const { words, filter, after, limit } = asked;
  const { sessionId, conversationIds: conversations, kind, fromMe, since, until } = filter;
  const wanted = { agencyId, tenantId, words, sessionId, conversations, kind, fromMe, since, until, limit };
  const from =
    after === null ? sql`'{}'::jsonb` : sql`jsonb_build_object('at', ${momentOf(after.at)}, 'id', ${after.id}::text)`;
  const found = await rows(queries, Found)`
    select f.id, ${microsOf(sql`f.at`)} as at, c.id as "conversationId", c.chat_id as "chatId",
      c.contact_id as "contactId", s.chat_id as "sessionChatId"
    from search_messages(${searchJson(wanted)}::jsonb || ${from}, ${LOOKED_AT}) with ordinality f(id, at, place)
      join message m on m.id = f.id and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
      join conversation c on c.id = m.conversation_id join session s on s.id = m.session_id
    order by f.place`;
  const messages = await queries.em.find(Message, { agencyId, tenantId, id: { $in: found.map(({ id }) => id) } });
  const byId = new Map(messages.map((message) => [message.id, message]));
  // One that was erased between the two statements is left out.
  return found.flatMap((each) => {
    const message = byId.get(each.id);
    return message ? [{ ...each, message }] : [];
  });
}

const Conversations = z.object({ ids: z.array(z.string()) });

/** Lists the conversations of a contact that the scope reaches. */
export async function listConversationsOf(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope,
  contactId: string,
): Promise<string[]> {
  const found = await row(queries, Conversations)`
    select array_agg(c.id) as ids from conversation c
    where c.contact_id = ${contactId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}
      and (${sessionId}::text is null or c.session_id = ${sessionId}) having count(*) > 0`;
  return found?.ids ?? [];
}

const Count = z.object({ count: z.int() });

/** Indexes some messages of before the index (`message-text.sql`). Returns how many it has looked at. */
export async function indexOldTexts(tx: Tx, limit: number): Promise<number> {
  const { count } = await one(tx, Count)`select index_old_texts(${limit}) as count`;
  return count;
}

/** Indexes some conversations of before the index (`chat-text.sql`). Returns how many it has looked at. */
export async function indexOldChats(tx: Tx, limit: number): Promise<number> {
  const { count } = await one(tx, Count)`select index_old_chats(${limit}) as count`;
  return count;
}
