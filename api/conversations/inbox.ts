import { z } from 'zod';
import { ChatSummary } from '../../domain/conversation.ts';
import { LabelId } from '../../domain/labels.ts';
import type { Label } from '../../domain/labels.ts';
import { notFound } from '../../domain/error.ts';
import { DeliveryStatus, MessageView } from '../../domain/sending/message.ts';
import { findPhones } from '../../db/conversations/contact.ts';
import {
  findConversationById,
  findConversationInScope,
  listContactNames,
  listConversations,
} from '../../db/conversations/conversation.ts';
import type { Conversation } from '../../db/conversations/conversation.ts';
import { listLabelled } from '../../db/conversations/labelled.ts';
import { listLabelsOf } from '../../db/conversations/labels.ts';
import { findMessageInScope, listHistory, listMessages } from '../../db/conversations/message.ts';
import { findPlan } from '../../db/sending/plan.ts';
import { findQuoted } from '../../db/conversations/quoted.ts';
import { awaitHistory, refreshChats } from './await-history.ts';
import { defineRoute } from '../deps.ts';
import { endOf, toDeliveryStatus, toMessageView } from './message-view.ts';
import { HasMore } from '../wire/page.ts';
import { sessionInScope } from '../sessions/session-in-scope.ts';
import { ConversationId, MessageId, SessionRef } from '../../domain/ids.ts';

/** More than other lists, because the specification has no bound and a client must not lose rows behind one. */
const MAX_ROWS = 1_000;

const Page = {
  limit: z.coerce.number().int().min(1).max(MAX_ROWS).default(20).meta({
    description: 'How many are listed at most, 1 to 1,000.',
  }),
  offset: z.coerce.number().int().min(0).max(100_000).default(0).meta({
    description: 'How many of the newest are left out, 0 to 100,000.',
  }),
};

const ConversationPath = z.object({ conversationId: ConversationId });

export const inboxRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/chats',
    auth: 'tenant',
    cost: 5,
    scope: 'read',
    operationId: 'conversations.list',
    summary: 'List chats, newest first',
    description: 'Answers from our database and brings it up to date in the background; `syncing` says that it does.',
    query: z.object({
      ...Page,
      pages: z.coerce
        .number()
        .int()
        .min(1)
        .max(20)
        .default(1)
        .meta({ description: 'How deep the list is brought up to date, in pages of 20 chats, 1 to 20.' }),
      label: LabelId.optional().meta({ description: "Only chats with this label, by the network's id of the label." }),
      session: SessionRef.optional(),
    }),
    reply: z.object({
      chats: z.array(ChatSummary).meta({ description: 'The conversations of this page, newest first.' }),
      total: z.int().meta({
        description: 'How many conversations the session has, all pages together; with `label`, of those that have it.',
      }),
      hasMore: HasMore,
      syncing: z
        .boolean()
        .meta({ description: 'True where the list is being brought up to date: ask again in some seconds.' }),
    }),
    errors: ['not_found'],
    async handle({ scope, query }, { database }) {
      const session = await sessionInScope(database, scope, query.session);
      const { label, limit, offset } = query;
      const wanted = { sessionId: session.id, limit, offset };
      const { conversations, total, ...told } = await database.read(async (queries) => {
        const page =
          label === undefined
            ? await listConversations(queries, scope, wanted)
            : await listLabelled(queries, scope, { ...wanted, label });
        const contactIds = page.conversations.flatMap(({ contactId }) => contactId ?? []);
        const chatIds = page.conversations.map(({ chatId }) => chatId);
        const names = await listContactNames(queries, scope, contactIds);
        const ids = page.conversations.map(({ id }) => id);
        const labels = await listLabelsOf(queries, session.id, ids);
        return { ...page, names, labels, phones: await findPhones(queries, scope, chatIds) };
      });
      const syncing = await refreshChats(database, session, query.pages);
      const chats = conversations.map((conversation) => toChatSummary(conversation, told));
      return { chats, total, hasMore: offset + chats.length < total, syncing };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    auth: 'tenant',
    cost: 3,
    scope: 'read',
    operationId: 'conversations.listMessages',
    summary: 'Read the messages of a conversation, newest first',
    description: 'Waits a few seconds for history that nobody has fetched yet; `syncing` says that more is on its way.',
    params: ConversationPath,
    query: z.object(Page),
    reply: z.object({
      messages: z.array(MessageView).meta({ description: 'The messages of this page, newest first.' }),
      hasMore: HasMore,
      syncing: z
        .boolean()
        .meta({ description: 'True where older messages are still being fetched: ask again in some seconds.' }),
    }),
    errors: ['not_found'],
    async handle({ scope, params, query, request }, { database, messageWatch, mediaLinks }) {
      const { conversationId } = params;
      const conversation = await database.read((queries) => findConversationInScope(queries, scope, conversationId));
      if (!conversation) throw notFound('conversation');
      const session = await sessionInScope(database, scope, conversation.sessionId);
      const { limit, offset } = query;
      const asked = { scope, conversation, session, depth: offset + limit, signal: request.signal };
      const syncing = await awaitHistory({ database, messageWatch }, asked);
      const { messages, quoted, phones } = await database.read(async (queries) => {
        const page = await listMessages(queries, scope, { conversationId: conversation.id, limit: limit + 1, offset });
        const addresses = [conversation.chatId, ...page.flatMap(({ participant }) => participant ?? [])];
        const phones = await findPhones(queries, scope, addresses);
        return { messages: page, quoted: await findQuoted(queries, scope, page), phones };
      });
      const ends = { own: endOf(session.chatId), other: endOf(conversation.chatId, phones), phones };
      return {
        messages: messages
          .slice(0, limit)
          .map((message) => toMessageView(message, ends, quoted.get(message.id), mediaLinks)),
        hasMore: messages.length > limit,
        syncing,
      };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/messages/:messageId/status',
    auth: 'tenant',
    scope: 'read',
    operationId: 'messages.readStatus',
    summary: 'Find out what became of a message',
    params: z.object({ messageId: MessageId }),
    reply: DeliveryStatus,
    errors: ['not_found'],
    async handle({ scope, params }, { database, mediaLinks }) {
      return database.read(async (queries) => {
        const message = await findMessageInScope(queries, scope, params.messageId);
        if (!message) throw notFound('message');
        const history = await listHistory(queries, message.id);
        const conversation = await findConversationById(queries, message.conversationId);
        const replyTo = (await findQuoted(queries, scope, [message])).get(message.id);
        const plan = await findPlan(queries, message);
        const chatId = conversation?.chatId ?? '';
        const to = endOf(chatId, await findPhones(queries, scope, [chatId]));
        return toDeliveryStatus(message, { to, replyTo, history, plan }, mediaLinks);
      });
    },
  }),
];

/** What is told of the chats of a page beside their rows: names by contact, labels by conversation, phones by chat. */
interface Told {
  names: ReadonlyMap<string, string>;
  labels: ReadonlyMap<string, Label[]>;
  phones: ReadonlyMap<string, string>;
}

function toChatSummary(conversation: Conversation, { names, labels, phones }: Told): ChatSummary {
  const { lastMessageAt, lastMessageBody, lastMessageFromMe } = conversation;
  return {
    name: conversation.name ?? names.get(conversation.contactId ?? '') ?? endOf(conversation.chatId, phones),
    picture: conversation.pictureUrl ?? null,
    lastMessage: lastMessageAt
      ? {
          body: lastMessageBody ?? '',
          timestamp: Math.floor(lastMessageAt.getTime() / 1_000),
          fromMe: lastMessageFromMe ?? false,
        }
      : null,
    unreadCount: conversation.unreadCount,
    conversationId: conversation.id,
    chatId: conversation.chatId,
    contactId: conversation.contactId ?? null,
    mode: conversation.mode,
    labels: labels.get(conversation.id) ?? [],
  };
}
