import { defineEntity, p } from '@mikro-orm/core';
import { z } from 'zod';
import { chatKind } from '../../domain/network/chat-id.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { IdRow } from '../engine/columns.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import { MergeNews, tellMergeNews } from './merge-news.ts';
import type { Picture } from './picture.ts';

export const Contact = defineEntity({
  name: 'Contact',
  tableName: 'contact',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    chatId: p.string(),
    name: p.string().nullable(),
    pushName: p.string().nullable(),
    onNetwork: p.boolean().nullable(),
    checkedAt: p.datetime().nullable(),
    phoneAskedAt: p.datetime().nullable(),
    picture: p.json<Picture>().nullable(),
    pictureAskedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

/** Finds a contact's id. The id of a contact that was merged into another leads to the contact that stays. */
export async function findContactId(
  queries: Queries,
  scope: TenantScope,
  named: { contactId: string } | { chatId: string },
): Promise<string | null> {
  const { agencyId, tenantId } = scope;
  const found =
    'chatId' in named
      ? await row(queries, IdRow)`
          select contact_id as id from contact_alias
          where agency_id = ${agencyId} and tenant_id = ${tenantId} and chat_id = ${named.chatId}`
      : await row(queries, IdRow)`
          select coalesce(a.contact_id, c.id) as id from contact c
          left join contact_alias a on a.agency_id = c.agency_id and a.tenant_id = c.tenant_id and a.chat_id = c.chat_id
          where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.id = ${named.contactId}`;
  return found?.id ?? null;
}

const ChatIdRow = z.object({ chatId: z.string() });

/** Reads the address under which a contact is written to. */
export async function findContactsChatId(queries: Queries, contactId: string): Promise<string> {
  const { chatId } = await one(queries, ChatIdRow)`select chat_id as "chatId" from contact where id = ${contactId}`;
  return chatId;
}

/** Tells whether the scope reaches the contact: a session's key reaches those with whom its session has talked. */
export async function isContactInScope(
  queries: Queries,
  { agencyId, tenantId, sessionId }: Scope,
  contactId: string,
): Promise<boolean> {
  if (sessionId === null) return true;
  const found = await row(queries, IdRow)`
    select id from conversation
    where contact_id = ${contactId} and session_id = ${sessionId} and agency_id = ${agencyId}
      and tenant_id = ${tenantId}`;
  return found !== undefined;
}

const Known = z.object({ chatId: z.string(), phone: z.string() });

/** Finds the phones of the contacts that are known by these hidden ids. */
export async function findPhones(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  chatIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const hidden = [...new Set(chatIds)].filter((chatId) => chatKind(chatId) === 'lid');
  if (hidden.length === 0) return new Map();
  const known = await rows(queries, Known)`
    select a.chat_id as "chatId", k.chat_id as phone from contact_alias a join contact k on k.id = a.contact_id
    where a.agency_id = ${agencyId} and a.tenant_id = ${tenantId} and a.chat_id = any(${hidden}::text[])
      and is_phone(k.chat_id)`;
  return new Map(known.map(({ chatId, phone }) => [chatId, phone]));
}

/**
 * Records whether the number of a conversation's contact is on the network. The answer is kept, because many such
 * questions get an account banned.
 */
export async function recordOnNetwork(tx: Tx, conversationId: string, onNetwork: boolean): Promise<void> {
  await run(tx)`
    update contact set on_network = ${onNetwork}, checked_at = ${tx.now}
    where id = (select contact_id from conversation where id = ${conversationId})`;
}

const Taken = z.object({ news: MergeNews });

/**
 * Records that the network knows the conversation's contact under this chat id (as with Brazil's ninth digit). Contact
 * and conversation take the chat id over (`merge-contacts.sql`). Returns the conversation that has the messages from
 * now on.
 */
export async function adoptChatId(tx: Tx, conversationId: string, chatId: string): Promise<string> {
  const { id } = await one(tx, IdRow)`
    select coalesce(adopt_chat_id(${conversationId}, ${chatId}), ${conversationId}) as id`;
  const taken = await row(tx, Taken)`
    select take_merge_news(contact_id) as news from conversation where id = ${id}`;
  if (taken) tellMergeNews(tx, taken.news);
  return id;
}
