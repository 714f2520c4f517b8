import { defineEntity, p, raw } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { z } from 'zod';
import { CONVERSATION_MODES } from '../../domain/conversation.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import { otherAddresses } from '../../domain/network/phone-forms.ts';
import { cut } from '../../domain/cut.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { IdRow } from '../engine/columns.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { newId } from '../engine/new-id.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import { MergeNews, tellMergeNews } from './merge-news.ts';

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

/** Finds a conversation. The id of a conversation that was merged into another leads to that other one. */
export async function findConversationInScope(
  queries: Queries,
  scope: Scope,
  id: string,
): Promise<Conversation | null> {
  return queries.em.findOne(Conversation, { ...ownedBy(scope), id: now(id) });
}

/** Finds without a scope the conversation that this one is now, as `findConversationById`. */
export async function findConversationNow(queries: Queries, id: string): Promise<Conversation | null> {
  const current = await currentConversationId(queries, id);
  return current === null ? null : findConversationById(queries, current);
}

const now = (id: string) => raw<string>('(select conversation_now(n) from conversation n where n.id = ?)', [id]);

/** Finds a conversation without a scope, for activities: they have the id from a row and learn the tenant from it. */
export async function findConversationById(queries: Queries, id: string): Promise<Conversation | null> {
  return queries.em.findOne(Conversation, { id });
}

const ConversationRef = z.object({ id: z.string(), chatId: z.string(), contactId: z.string().nullable() });
export type ConversationRef = z.infer<typeof ConversationRef>;

export function conversationRef(conversation: Conversation): ConversationRef {
  return { id: conversation.id, chatId: conversation.chatId, contactId: conversation.contactId ?? null };
}

const Ensured = ConversationRef.extend({ news: MergeNews });

/**
 * Returns the conversation of a session with the contact of these addresses, and locks it; makes it when there is none
 * (`conversation.sql`). A contact has one conversation per session, whichever of their addresses the network used; a
 * group has its own. `networkId` is the message that names the addresses; contacts whom it shows to be one person are
 * merged. A person whom we know under another spelling of the number is that contact (`in_known_spelling`), unless a
 * caller wrote the address (`asWritten`).
 */
export async function ensureConversation(
  tx: Tx,
  scope: TenantScope & { sessionId: string },
  chat: {
    chatId: string;
    aliases?: string[];
    name?: string | null;
    pushName?: string | null;
    networkId?: string;
    asWritten?: true;
  },
): Promise<ConversationRef> {
  const own = addressesOf(chat);
  const chatIds = chat.asWritten === true ? own : await inKnownSpelling(tx, scope, own, chat.networkId);
  const { news, ...conversation } = await one(tx, Ensured)`
    select id, chat_id as "chatId", contact_id as "contactId",
      case when ${chatIds.length > 1} then take_merge_news(contact_id) end as news
    from ensure_conversation(${scope.agencyId}, ${scope.tenantId}, ${scope.sessionId},
      ${chat.chatId}, ${chatIds}, ${chat.name ?? null}, ${chat.pushName ?? null},
      ${newId('cnv')}, ${newId('con')}, ${chat.networkId ?? null})`;
  tellMergeNews(tx, news);
  return conversation;
}

const Spelt = z.object({ chatIds: z.array(z.string()) });

async function inKnownSpelling(
  tx: Tx,
  { agencyId, tenantId, sessionId }: TenantScope & { sessionId: string },
  chatIds: string[],
  networkId: string | null = null,
): Promise<string[]> {
  const spellings = otherAddresses(chatIds);
  if (spellings.length === 0) return chatIds;
  const spelt = await one(tx, Spelt)`
    select from_their_own(${agencyId}, ${tenantId}, ${chatIds}::text[], in_known_spelling(${agencyId}, ${tenantId},
      ${sessionId}, ${networkId}, ${chatIds}::text[], ${spellings}::text[])) as "chatIds"`;
  return spelt.chatIds;
}

/** Returns the addresses of the contact of a direct chat; none for a group. */
export function addressesOf({ chatId, aliases = [] }: { chatId: string; aliases?: string[] }): string[] {
  return chatKind(chatId) === 'group' ? [] : [...new Set([chatId, ...aliases])];
}

const Address = z.object({ chatId: z.string() });

/** Lists every address under which the network may show this chat. */
export async function listChatAddresses(queries: Queries, conversationId: string): Promise<string[]> {
  const addresses = await rows(queries, Address)`
    select chat_id as "chatId" from conversation where id = ${conversationId}
    union
    select a.chat_id from conversation c join contact_alias a on a.contact_id = c.contact_id
    where c.id = ${conversationId}`;
  return addresses.map(({ chatId }) => chatId);
}

/**
 * Takes the conversation's lock, the first step of every transaction that changes its queue. Returns the conversation
 * that is locked: the one that this one was merged into, even if that happened while the lock was waited for.
 */
export async function lockConversation(tx: Tx, id: string): Promise<string> {
  const locked = await one(tx, IdRow)`select lock_conversation(${id}) as id`;
  return locked.id;
}

/**
 * Reads the id of the conversation that this one is now: itself, or the one that it was merged into since the caller
 * loaded it.
 */
export async function currentConversationId(queries: Queries, id: string): Promise<string | null> {
  const current = await row(queries, IdRow)`
    select conversation_now(c) as id from conversation c where c.id = ${id}`;
  return current?.id ?? null;
}

/** `letGo` is the session when a first contact that waited may go now; else null. */
const LineMoved = z.object({ letGo: z.string().nullable() });

/** A chat list shows this much of a conversation's last message. */
export const MAX_LINE_LENGTH = 500;

const lineJson = jsonParameter({ id: true, fromMe: true, at: true, unread: true, line: true }, 'record_last_message.p');

/**
 * Updates the conversation's line in the chat list, unless a newer message stands there (`conversation.sql`). Needs the
 * conversation's lock.
 */
export async function recordLastMessage(
  tx: Tx,
  conversationId: string,
  { body, ...message }: { id: string; body: string; fromMe: boolean; at: Date; unread: number },
): Promise<void> {
  const recorded = { ...message, line: cut(body, MAX_LINE_LENGTH) };
  const { letGo } = await one(tx, LineMoved)`
    select record_last_message(${conversationId}, ${lineJson(recorded)}::jsonb, ${tx.now}) as "letGo"`;
  if (letGo !== null) tx.wake('release', letGo);
}

/** Records how much of the history is here, and wakes requests that wait for messages that were missing. */
export async function recordHistorySynced(
  tx: Tx,
  conversationId: string,
  synced: { messages: number; complete: boolean },
): Promise<void> {
  await run(tx)`
    update conversation set history_synced = greatest(history_synced, ${synced.messages}),
      history_complete = history_complete or ${synced.complete}
    where id = ${conversationId}`;
  tx.wake('message', conversationId);
}
