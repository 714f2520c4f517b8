import { z } from 'zod';
import { notFound } from '../../../domain/error.ts';
import { MessageId } from '../../../domain/ids.ts';
import { DeliveryStatus } from '../../../domain/sending/message.ts';
import { findPhones } from '../../../db/conversations/contact.ts';
import { findConversationById } from '../../../db/conversations/conversation.ts';
import { findMessageInScope, listHistory } from '../../../db/conversations/message.ts';
import { findPlan } from '../../../db/sending/plan.ts';
import { findQuoted } from '../../../db/conversations/quoted.ts';
import { defineRoute } from '../../deps.ts';
import { endOf } from '../../../domain/network/ends.ts';
import { toDeliveryStatus } from '../message-view.ts';

export const messageStatusRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/inbox/messages/:messageId/status',
    auth: 'tenant',
    scope: 'read',
    operationId: 'messages.readStatus',
    summary: 'Retrieve the status of a message',
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
        return toDeliveryStatus(message, { to, replyTo, history, plan, now: queries.now }, mediaLinks);
      });
    },
  }),
];
