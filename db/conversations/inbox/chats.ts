import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { ConversationMode } from '../../../domain/conversation.ts';
import type { SearchTerm } from '../../../domain/inbox/search-terms.ts';
import type { Scope } from '../../../domain/scope.ts';
import { CONTENT_STATES } from '../../../domain/network/message-content.ts';
import { NEW_KINDS } from '../../../domain/network/network-event.ts';
import { MessageKind } from '../../../domain/sending/message-kind.ts';
import { CHAT_STATUSES, ShownOrigin } from '../../../domain/sending/message.ts';
import { HandoverCause } from '../../../domain/webhooks/event.ts';
import { Micros, microsOf, momentOf, Timestamp } from '../../engine/columns.ts';
import { jsonParameter } from '../../engine/json-parameter.ts';
import { one, row, rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';

/** A chat as a list shows it: the conversation, with what is known of its contact. */
const Chat = z.object({
  id: z.string(),
  sessionId: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  name: z.string().nullable(),
  /** The address of the contact with the phone, where the chat's own is a hidden id. */
  phoneChatId: z.string().nullable(),
  /** Whether the engine has stored the contact's picture; `pictureUrl` is the network's own address. */
  hasPicture: z.boolean(),
  pictureUrl: z.string().nullable(),
  /** The network was asked for the picture once. */
  isPictureAsked: z.boolean(),
  mode: ConversationMode,
  assignedTo: z.string().nullable(),
  unreadCount: z.int(),
  lastMessageId: z.string().nullable(),
  lastMessageBody: z.string().nullable(),
  lastMessageFromMe: z.boolean().nullable(),
  lastMessageAt: Timestamp.nullable(),
  /** The last message beyond its words; null if only its text is known. */
  lastMessageShows: z
    .object({
      origin: ShownOrigin.nullable(),
      kind: MessageKind,
      contentState: z.enum(CONTENT_STATES).nullable(),
      status: z.enum(CHAT_STATUSES),
    })
    .nullable(),
  /** The reason of a silent last turn; null after any other turn, and without one. */
  agentSilence: z.string().nullable(),
  waitingSince: Timestamp.nullable(),
  updatedAt: Timestamp,
  at: Micros.nullable(),
});
export type Chat = z.output<typeof Chat>;

/** Nobody answers what a contact wrote longer ago, and a list must not look at all old chats. */
const WAITS_FOR_MS = 30 * 24 * 60 * 60_000;

/** Since when the contact of conversation `c` has waited for an answer. A group waits for nobody. */
const waitingSince = ({ now }: Pick<Queries, 'now'>) => sql`case
  when c.contact_id is null or c.last_inbound_at is null
    or c.last_inbound_at <= ${new Date(now.getTime() - WAITS_FOR_MS)}::timestamptz then null
  when ends_with_answer(c.id, c.unread_count, c.last_inbound_at) then null
  else waiting_since(c.id) end`;

/** Says why the agent was silent in the last turn of conversation `c`. */
const AGENT_SILENCE = sql`(select case when t.outcome = 'silence' then t.silence_code end from ai_turn t
    where t.conversation_id = c.id and t.agency_id = c.agency_id and t.tenant_id = c.tenant_id
    order by t.id desc limit 1)`;

/** Mirrors receive neither, and each costs a read of the chat's messages or turns. */
const UNASKED = { waits: sql`null::timestamptz`, silence: sql`null::text` };

const LAST_MESSAGE_AT = sql`c.last_message_at`;

interface Asked {
  waits: RawBuilder<unknown>;
  silence?: RawBuilder<unknown>;
  at?: RawBuilder<unknown>;
}

/** The columns of a chat, of conversation `c`, its contact `k` and what the session says of that, `l`. */
const columnsOf = ({ waits, silence = AGENT_SILENCE, at = LAST_MESSAGE_AT }: Asked) => sql`
  c.id, c.session_id as "sessionId", c.chat_id as "chatId", c.contact_id as "contactId",
  coalesce(nullif(c.name, ''), nullif(l.name, ''), nullif(k.name, ''), nullif(k.push_name, '')) as name,
  case when is_phone(k.chat_id) then k.chat_id end as "phoneChatId",
  k.picture is not null as "hasPicture", c.picture_url as "pictureUrl",
  k.picture_asked_at is not null as "isPictureAsked", c.mode, c.assigned_to as "assignedTo",
  c.unread_count as "unreadCount", c.last_message_id as "lastMessageId", c.last_message_body as "lastMessageBody",
  c.last_message_from_me as "lastMessageFromMe", c.last_message_at as "lastMessageAt", c.updated_at as "updatedAt",
  (select jsonb_build_object('origin', coalesce(m.via, m.origin), 'status', m.status,
      'contentState', m.content->>'contentState', 'kind', case when m.kind <> 'other' then m.kind
      else coalesce((select k from unnest(${[...NEW_KINDS]}::text[]) k where m.content ? k limit 1), m.kind) end)
    from message m where m.id = c.last_message_id and m.agency_id = c.agency_id
      and m.tenant_id = c.tenant_id) as "lastMessageShows",
  ${silence} as "agentSilence",
  ${waits} as "waitingSince",
  ${microsOf(at)} as at`;

const PEOPLE = sql`
  left join contact k on k.id = c.contact_id and k.agency_id = c.agency_id and k.tenant_id = c.tenant_id
  left join session_contact l on l.session_id = c.session_id and l.contact_id = c.contact_id`;

/** Narrows a list of chats; an empty filter lists all chats of a session. */
export interface ChatFilter {
  label?: string | undefined;
  unread?: boolean | undefined;
  waiting?: boolean | undefined;
  mode?: ConversationMode | undefined;
  assignedTo?: string | undefined;
  updatedSince?: Date | undefined;
  /** Parts of the name or of the phone, all of which must be there. */
  search?: readonly SearchTerm[] | undefined;
}

/** The place of a chat in a list: after this one, the list goes on. */
export interface ChatPlace {
  at: string;
  id: string;
}

export interface ChatPage {
  sessionId: string;
  filter: ChatFilter;
  after: ChatPlace | null;
  limit: number;
  offset: number;
}

/** A narrowed list is counted up to here, because counting reads what it counts. */
export const MAX_COUNTED = 10_000;

/** Lists a session's chats, newest first. A conversation without a message is not in it, because nothing was said. */
export async function listChats(queries: Queries, scope: Scope, page: ChatPage): Promise<Chat[]> {
  const { after, limit, offset } = page;
  // The first condition is what the index can use; the second leaves out what has the very same time and came before.
  const follows =
    after === null
      ? sql``
      : sql`and c.last_message_at <= ${momentOf(after.at)}
          and not (c.last_message_at = ${momentOf(after.at)} and c.id <= ${after.id})`;
  return rows(queries, Chat)`
    select ${columnsOf({ waits: waitingSince(queries) })} from (
      select * from conversation c where ${listed(queries, scope, page)} ${follows}
      order by c.last_message_at desc nulls last, c.id limit ${limit} offset ${offset}) c
    ${PEOPLE} order by c.last_message_at desc nulls last, c.id`;
}

const WaitingChat = Chat.extend({ total: z.int() });

/**
 * Lists the chats that wait, the longest wait first, and counts them in the same pass: to know who waits, a statement
 * reads every chat of the last 30 days. `offset 0` keeps the selects apart, so that it asks once for each chat.
 */
export async function listWaiting(
  queries: Queries,
  scope: Scope,
  page: ChatPage,
): Promise<{ chats: Chat[]; total: number }> {
  const { after, limit, offset } = page;
  const follows = after === null ? sql`true` : sql`(c.since, c.id) > (${momentOf(after.at)}, ${after.id})`;
  const chats = await rows(queries, WaitingChat)`
    select ${columnsOf({ waits: sql`c.since`, at: sql`c.since` })}, c.total from (
      select * from (
        select c.*, count(*) over ()::integer as total from (
          select c.*, ${waitingSince(queries)} as since from conversation c
          where ${listed(queries, scope, { ...page, filter: { ...page.filter, waiting: undefined } })} offset 0) c
        where c.since is not null) c
      where ${follows} order by c.since, c.id limit ${limit} offset ${offset}) c
    ${PEOPLE} order by c.since, c.id`;
  const [first] = chats;
  if (first) return { chats, total: Math.min(first.total, MAX_COUNTED) };
  const isPastEnd = after !== null || offset > 0;
  return { chats, total: isPastEnd ? await countNarrowed(queries, scope, page) : 0 };
}

const Count = z.object({ total: z.int() });

/** Counts the chats of a narrowed list, up to {@link MAX_COUNTED}. */
export async function countNarrowed(
  queries: Queries,
  scope: Scope,
  page: { sessionId: string; filter: ChatFilter },
): Promise<number> {
  const { total } = await one(queries, Count)`
    select count(*)::integer as total from (
      select 1 from conversation c where ${listed(queries, scope, page)} limit ${MAX_COUNTED}) counted`;
  return total;
}

function listed(
  queries: Pick<Queries, 'now'>,
  { agencyId, tenantId }: Scope,
  { sessionId, filter }: { sessionId: string; filter: ChatFilter },
): RawBuilder<unknown> {
  const { label, unread, waiting, mode, assignedTo, updatedSince, search } = filter;
  return sql`c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.session_id = ${sessionId}
    and c.last_message_at is not null
    ${unread === undefined ? sql`` : unread ? sql`and c.unread_count > 0` : sql`and c.unread_count = 0`}
    ${waiting === undefined ? sql`` : sql`and (${waitingSince(queries)} is not null) = ${waiting}::boolean`}
    ${mode === undefined ? sql`` : sql`and c.mode = ${sql.lit(mode)}`}
    ${assignedTo === undefined ? sql`` : sql`and c.mode = 'human_takeover' and c.assigned_to = ${assignedTo}`}
    ${updatedSince === undefined ? sql`` : sql`and c.updated_at >= ${updatedSince}`}
    ${search === undefined ? sql`` : sql`and c.id = any(array(${named(sessionId, search)}))`}
    ${label === undefined ? sql`` : sql`and c.id = any(array(${labelled({ agencyId, tenantId, sessionId, label })}))`}`;
}

const termsJson = jsonParameter({ text: true }, 'search_words_of_chat.p_terms');

/** The conversations that are found by parts of their names and numbers. */
function named(sessionId: string, search: readonly SearchTerm[]): RawBuilder<unknown> {
  return sql`select t.conversation_id from chat_text t
    where t.words @@ (search_words_of_chat(${termsJson(search.map(({ text }) => ({ text })))}::jsonb)
      && any_word(array[session_word(${sessionId})]))`;
}

/** The conversations whose chats have a label, under any address of their contacts. */
function labelled(of: { agencyId: string; tenantId: string; sessionId: string; label: string }): RawBuilder<unknown> {
  const { agencyId, tenantId, sessionId, label } = of;
  return sql`
    with labelled as (
      select chat_id from chat_label where session_id = ${sessionId} and label_id = ${label} and is_set
    )
    select o.id from labelled b join conversation o on o.chat_id = b.chat_id and o.session_id = ${sessionId}
    union
    select o.id from labelled b
      join contact_alias a on a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = b.chat_id
      join conversation o on o.contact_id = a.contact_id and o.session_id = ${sessionId}`;
}

const ChatInHands = Chat.extend({
  epoch: z.int(),
  reason: z.string().nullable(),
  takenOverBy: HandoverCause.nullable(),
  humanActiveAt: Timestamp.nullable(),
  returnsAt: Timestamp.nullable(),
  createdAt: Timestamp,
});
export type ChatInHands = z.output<typeof ChatInHands>;

/** The columns of a chat and of who has it. */
const HANDS = sql`c.epoch, c.assigned_reason as reason, c.taken_over_by as "takenOverBy",
  c.human_active_at as "humanActiveAt", c.return_at as "returnsAt", c.created_at as "createdAt"`;

/** Reads one chat with who has it; the id of a conversation that was merged into another leads to that one. */
export async function readChat(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope,
  conversationId: string,
): Promise<ChatInHands | null> {
  const found = await row(queries, ChatInHands)`
    select ${columnsOf({ waits: waitingSince(queries) })}, ${HANDS}
    from conversation named
    join conversation c on c.id = conversation_now(named)
      and c.agency_id = named.agency_id and c.tenant_id = named.tenant_id
    ${PEOPLE}
    where named.id = ${conversationId} and named.agency_id = ${agencyId} and named.tenant_id = ${tenantId}
      and (${sessionId}::text is null or named.session_id = ${sessionId})
      and (${sessionId}::text is null or c.session_id = ${sessionId})`;
  return found ?? null;
}

const OtherChat = z.object({
  conversationId: z.string(),
  sessionId: z.string(),
  accountName: z.string(),
  lastMessageAt: Timestamp.nullable(),
});

/** Lists the chats of a contact with other accounts of the tenant, the newest first. */
export async function listOtherChats(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope,
  { id, contactId }: { id: string; contactId: string },
  limit: number,
): Promise<z.output<typeof OtherChat>[]> {
  return rows(queries, OtherChat)`
    select c.id as "conversationId", c.session_id as "sessionId", c.last_message_at as "lastMessageAt",
      coalesce(nullif(s.push_name, ''), s.name) as "accountName"
    from conversation c join session s on s.id = c.session_id
    where c.contact_id = ${contactId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}
      and c.merged_into is null and c.id <> ${id} and (${sessionId}::text is null or c.session_id = ${sessionId})
    order by c.last_message_at desc nulls last, c.id limit ${limit}`;
}

const NamedChat = ChatInHands.extend({ mergedInto: z.string().nullable() });
export type NamedChat = z.output<typeof NamedChat>;

/** Reads these chats of a session, in no order, also one without a message and one that was merged into another. */
export async function readChats(
  queries: Queries,
  { agencyId, tenantId }: Scope,
  { sessionId, ids }: { sessionId: string; ids: readonly string[] },
): Promise<NamedChat[]> {
  return rows(queries, NamedChat)`
    select ${columnsOf(UNASKED)}, ${HANDS}, c.merged_into as "mergedInto" from conversation c ${PEOPLE}
    where c.id = any(${ids}::text[]) and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}
      and c.session_id = ${sessionId}`;
}
