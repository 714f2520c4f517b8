import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import { CONVERSATION_MODES } from '../../domain/conversation.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import { cut } from '../../domain/cut.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { Contact } from './contact.ts';
import type { Queries, Tx } from '../tx.ts';
import { newId } from '../new-id.ts';
import { tellMergeHandovers } from './merge-handover.ts';
import type { MergeHandover } from './merge-handover.ts';

export const Conversation = defineEntity({
  name: 'Conversation',
  tableName: 'conversation',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    sessionId: p.string(),
    chatId: p.string(),
    contactId: p.string().nullable(),
    name: p.string().nullable(),
    pictureUrl: p.string().nullable(),
    mode: p.enum(CONVERSATION_MODES),
    epoch: p.integer(),
    assignedTo: p.string().nullable(),
    lastSeq: p.bigint('number'),
    lastMessageId: p.string().nullable(),
    lastMessageBody: p.string().nullable(),
    lastMessageFromMe: p.boolean().nullable(),
    lastMessageAt: p.datetime().nullable(),
    unreadCount: p.integer(),
    historySynced: p.integer(),
    historyComplete: p.boolean(),
    mergedInto: p.string().nullable(),
    createdAt: p.datetime(),
  },
});
export type Conversation = InferEntity<typeof Conversation>;

function ownedBy(scope: Scope): { agencyId: string; tenantId: string; sessionId?: string } {
  const own = { agencyId: scope.agencyId, tenantId: scope.tenantId };
  return scope.sessionId === null ? own : { ...own, sessionId: scope.sessionId };
}

/** An id that was told before two conversations turned out to be one leads to that one. */
export async function findConversationInScope(
  queries: Queries,
  scope: Scope,
  id: string,
): Promise<Conversation | null> {
  const own = ownedBy(scope);
  const found = await queries.em.findOne(Conversation, { ...own, id });
  return found?.mergedInto ? queries.em.findOne(Conversation, { ...own, id: found.mergedInto }) : found;
}

/** For activities, which were given the id by a row and learn the tenant from it. */
export async function findConversationById(queries: Queries, id: string): Promise<Conversation | null> {
  return queries.em.findOne(Conversation, { id });
}

/** Newest first; `total` counts all of them. */
export async function listConversations(
  queries: Queries,
  scope: Scope,
  page: { sessionId: string; limit: number; offset: number },
): Promise<{ conversations: Conversation[]; total: number }> {
  // A chat that nobody has said anything in is none to show: its first message is just being decided on.
  const where = { ...ownedBy(scope), sessionId: page.sessionId, lastMessageAt: { $ne: null } };
  const [conversations, total] = await queries.em.findAndCount(Conversation, where, {
    orderBy: [{ lastMessageAt: 'desc nulls last' }, { id: 'asc' }],
    limit: page.limit,
    offset: page.offset,
  });
  return { conversations, total };
}

/** The names that contacts have given themselves or were given; a chat without a name of its own bears its contact's. */
export async function listContactNames(queries: Queries, scope: Scope, ids: string[]): Promise<Map<string, string>> {
  const own = { agencyId: scope.agencyId, tenantId: scope.tenantId };
  const contacts = await queries.em.find(Contact, { ...own, id: { $in: ids } });
  return new Map(
    contacts.flatMap(({ id, name, pushName }) => (name || pushName ? [[id, name || pushName || '']] : [])),
  );
}

export interface ConversationRef {
  id: string;
  chatId: string;
  contactId: string | null;
}

export function conversationRef(conversation: Conversation): ConversationRef {
  return { id: conversation.id, chatId: conversation.chatId, contactId: conversation.contactId ?? null };
}

/**
 * The conversation of a session with whoever has these addresses, made when there is none, and locked
 * (`functions/conversation.sql`). A person is one conversation per session, whichever of their addresses the network used
 * this time; a group is its own. Contacts whom `networkId`, the message that names the addresses, shows to be one are merged.
 */
export async function ensureConversation(
  tx: Tx,
  scope: TenantScope & { sessionId: string },
  chat: { chatId: string; aliases?: string[]; name?: string | null; pushName?: string | null; networkId?: string },
): Promise<ConversationRef> {
  const direct = chatKind(chat.chatId) === 'phone' || chatKind(chat.chatId) === 'lid';
  const chatIds = direct ? [...new Set([chat.chatId, ...(chat.aliases ?? [])])] : [];
  const { rows } = await sql<ConversationRef & { handovers: MergeHandover[] | null }>`
    select id, chat_id as "chatId", contact_id as "contactId",
      case when ${chatIds.length > 1} then take_merge_handovers(contact_id) end as handovers from ensure_conversation(${scope.agencyId}, ${scope.tenantId},
      ${scope.sessionId}, ${chat.chatId}, ${chatIds}, ${chat.name ?? null}, ${chat.pushName ?? null},
      ${newId('cnv')}, ${newId('con')}, ${chat.networkId ?? null})`.execute(tx.sql);
  if (!rows[0]) throw new Error('The conversation that was just made is not there.');
  const { handovers, ...conversation } = rows[0];
  tellMergeHandovers(tx, handovers ?? []);
  return conversation;
}

/** Every address under which the network may show this chat. */
export async function listChatAddresses(queries: Queries, conversationId: string): Promise<string[]> {
  const { rows } = await sql<{ chatId: string }>`
    select chat_id as "chatId" from conversation where id = ${conversationId}
    union
    select a.chat_id from conversation c join contact_alias a on a.contact_id = c.contact_id
    where c.id = ${conversationId}`.execute(queries.sql);
  return rows.map((row) => row.chatId);
}

/**
 * Takes the conversation's lock: the first step of every transaction that moves its queue. Returns the conversation that
 * is locked: the one that this one turned out to be, also while its lock was waited for.
 */
export async function lockConversation(tx: Tx, id: string): Promise<string> {
  const locked = await sql<object>`
    select 1 from conversation where id = ${id} and merged_into is null for no key update`.execute(tx.sql);
  if (locked.rows.length > 0) return id;
  const { rows } = await sql<{
    into: string | null;
  }>`select merged_into as into from conversation where id = ${id}`.execute(tx.sql);
  const into = rows[0]?.into ?? null;
  return into === null ? id : lockConversation(tx, into);
}

/** What a conversation has become: itself, or the one that it was merged into. What it was loaded as may be older. */
export async function currentConversationId(queries: Queries, id: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(merged_into, id) as id from conversation where id = ${id}`.execute(queries.sql);
  return rows[0]?.id ?? null;
}

/** Moves the chat list's line on, unless something newer is there already. Needs the conversation's lock. */
export async function recordLastMessage(
  tx: Tx,
  conversationId: string,
  message: { id: string; body: string; fromMe: boolean; at: Date; unread: number },
): Promise<void> {
  const { rows } = await sql<{ letGo: string | null }>`
    with let_go as (
      -- Somebody who writes is no first contact any more.
      update message set ready_at = least(ready_at, ${message.at}::timestamptz), held_by = null, held_until = null
      where conversation_id = ${conversationId} and status = 'queued' and held_by in ('first_contacts', 'restricted')
      returning session_id
    )
    update conversation set
      unread_count = case when ${message.fromMe} then unread_count else unread_count + ${message.unread} end,
      last_message_id = case when newer then ${message.id} else last_message_id end,
      last_message_body = case when newer then ${cut(message.body, 500)} else last_message_body end,
      last_message_from_me = case when newer then ${message.fromMe} else last_message_from_me end,
      last_message_at = case when newer then ${message.at}::timestamptz else last_message_at end,
      last_inbound_at = case when ${message.fromMe} then last_inbound_at else greatest(last_inbound_at, ${message.at}::timestamptz) end,
      contacted = true
    from (select id as cid, last_message_at is null or last_message_at <= ${message.at}::timestamptz as newer
      from conversation where id = ${conversationId} for no key update) was
    where conversation.id = was.cid returning (select min(session_id) from let_go) as "letGo"`.execute(tx.sql);
  const letGo = rows[0]?.letGo ?? null;
  if (letGo !== null) tx.wake('release', letGo);
}

/** Wakes whoever reads the conversation and waits for what was missing. */
export async function recordHistorySynced(
  tx: Tx,
  conversationId: string,
  synced: { messages: number; complete: boolean },
): Promise<void> {
  await sql`
    update conversation set history_synced = greatest(history_synced, ${synced.messages}),
      history_complete = history_complete or ${synced.complete}
    where id = ${conversationId}`.execute(tx.sql);
  tx.wake('message', conversationId);
}
