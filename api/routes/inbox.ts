import { z } from 'zod';
import { acceptSend } from '../../db/accept.ts';
import { ChatSummary } from '../../domain/conversation.ts';
import { EXPIRES_AFTER_MS } from '../../domain/message-state.ts';
import { notFound } from '../../domain/error.ts';
import { DeliveryStatus, MessageView, ReplyAccepted, ReplyToConversation } from '../../domain/message.ts';
import { findConversationInScope, listContactNames, listConversations } from '../../db/conversation.ts';
import type { Conversation } from '../../db/conversation.ts';
import { findMessageInScope, listHistory, listMessages } from '../../db/message.ts';
import { findTenant } from '../../db/tenant.ts';
import { takeOver } from '../../db/takeover.ts';
import { answer } from '../answer.ts';
import { awaitHistory, refreshChats } from '../await-history.ts';
import { defineRoute } from '../deps.ts';
import { endOf, toDeliveryStatus, toMessageView } from '../message-view.ts';
import { accepted, textOf } from '../send.ts';
import { sessionInScope } from '../session-in-scope.ts';
import { awaitAiInFlight } from '../takeover.ts';

const Page = {
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
};

const ConversationPath = z.object({ conversationId: z.string().min(1).max(128) });

export const inboxRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/chats',
    auth: 'tenant',
    tags: ['Inbox'],
    summary: 'List chats, newest first',
    description: 'Answers from our database and brings it up to date in the background; `syncing` says that it does.',
    query: z.object({
      ...Page,
      pages: z.coerce.number().int().min(1).max(20).default(1).meta({ description: 'Depth of the sync in pages.' }),
      session: z.string().min(1).max(160).optional(),
    }),
    reply: z.object({
      chats: z.array(ChatSummary),
      total: z.int(),
      hasMore: z.boolean(),
      syncing: z.boolean(),
    }),
    errors: ['not_found'],
    async handle({ scope, query }, { database }) {
      const session = await sessionInScope(database, scope, query.session);
      const { limit, offset } = query;
      const { conversations, total, names } = await database.read(async (queries) => {
        const page = await listConversations(queries, scope, { sessionId: session.id, limit, offset });
        const contactIds = page.conversations.flatMap(({ contactId }) => contactId ?? []);
        return { ...page, names: await listContactNames(queries, scope, contactIds) };
      });
      const syncing = await refreshChats(database, session, query.pages);
      const chats = conversations.map((conversation) => toChatSummary(conversation, names));
      return { chats, total, hasMore: offset + chats.length < total, syncing };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    auth: 'tenant',
    tags: ['Inbox'],
    summary: 'Read the messages of a conversation, newest first',
    description: 'Waits a few seconds for history that nobody has fetched yet; `syncing` says that more is on its way.',
    params: ConversationPath,
    query: z.object(Page),
    reply: z.object({ messages: z.array(MessageView), hasMore: z.boolean(), syncing: z.boolean() }),
    errors: ['not_found'],
    async handle({ scope, params, query }, { database }) {
      const { conversationId } = params;
      const conversation = await database.read((queries) => findConversationInScope(queries, scope, conversationId));
      if (!conversation) throw notFound('conversation');
      const session = await sessionInScope(database, scope, conversation.sessionId);
      const { limit, offset } = query;
      const syncing = await awaitHistory(database, scope, conversation, session, offset + limit);
      const messages = await database.read((queries) =>
        listMessages(queries, scope, { conversationId, limit: limit + 1, offset }),
      );
      const ends = { own: endOf(session.chatId), other: endOf(conversation.chatId) };
      return {
        messages: messages.slice(0, limit).map((message) => toMessageView(message, ends)),
        hasMore: messages.length > limit,
        syncing,
      };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    auth: 'tenant',
    tags: ['Inbox', 'Sending'],
    summary: 'Reply in a conversation',
    description: "A person's reply: it goes before bulk, and where the AI agent is on it takes the conversation over.",
    params: ConversationPath,
    body: ReplyToConversation,
    status: 202,
    reply: ReplyAccepted,
    errors: ['content_required', 'not_supported_yet', 'not_found'],
    async handle({ scope, params, body }, { database }) {
      const text = textOf({ text: body.content, attachments: body.attachments, textPointer: '/content' });
      const person = body.actor === 'person';
      const { result, takenOver } = await database.transaction(async (tx) => {
        const conversation = await findConversationInScope(tx, scope, params.conversationId);
        if (!conversation) throw notFound('conversation');
        const takes = person && conversation.mode === 'bot_active' && (await findTenant(tx, scope))?.aiEnabled === true;
        if (takes) await takeOver(tx, scope, conversation.id, { mode: 'human_takeover', assignee: null });
        const sent = await acceptSend(tx, scope, {
          session: conversation.sessionId,
          recipient: { conversationId: conversation.id },
          text,
          origin: person ? 'person' : 'api',
          expiresAfterMs: EXPIRES_AFTER_MS.default,
        });
        return { result: sent, takenOver: takes };
      });
      const { status, body: sent, headers } = accepted(result);
      const inFlight = takenOver ? await awaitAiInFlight(database, scope, params.conversationId) : [];
      return answer(status, { ...sent, inFlight }, headers);
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/messages/:messageId/status',
    auth: 'tenant',
    tags: ['Inbox'],
    summary: 'Find out what became of a message',
    params: z.object({ messageId: z.string().min(1).max(128) }),
    reply: DeliveryStatus,
    errors: ['not_found'],
    async handle({ scope, params }, { database }) {
      return database.read(async (queries) => {
        const message = await findMessageInScope(queries, scope, params.messageId);
        if (!message) throw notFound('message');
        return toDeliveryStatus(message, await listHistory(queries, message.id));
      });
    },
  }),
];

function toChatSummary(conversation: Conversation, names: ReadonlyMap<string, string>): ChatSummary {
  const { lastMessageAt, lastMessageBody, lastMessageFromMe } = conversation;
  return {
    name: conversation.name ?? names.get(conversation.contactId ?? '') ?? endOf(conversation.chatId),
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
  };
}
