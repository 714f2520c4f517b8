import { z } from 'zod';
import { findPhones } from '../../db/conversations/contact.ts';
import { findConversationById } from '../../db/conversations/conversation.ts';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { findPlan } from '../../db/sending/plan.ts';
import { listUnsent } from '../../db/sending/unsent.ts';
import { cancelMessages, changeMessage, lockRequest } from '../../db/sending/waiting.ts';
import type { LockedMessage } from '../../db/sending/waiting.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { wasSent } from '../../domain/sending/message-state.ts';
import {
  CancelledMessages,
  CancelMessage,
  ChangeMessage,
  UNSENT_STATUSES,
  UnsentMessage,
} from '../../domain/sending/unsent.ts';
import { changeOf } from '../sending/change.ts';
import { defineRoute } from '../deps.ts';
import { endOf } from '../../domain/network/ends.ts';
import { toUnsentMessage } from './message-view.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { sessionInScope } from '../sessions/session-in-scope.ts';
import { ConversationId, MessageId, SessionRef } from '../../domain/ids.ts';

const MessagePath = z.object({ messageId: MessageId });

interface Place {
  status: (typeof UNSENT_STATUSES)[number];
  at: Date | null;
  id: string;
}

const Cursor = cursorOf<Place>({
  read(text) {
    const [id = '', named, at = ''] = text.split(' ');
    const status = UNSENT_STATUSES.find((known) => known === named);
    if (!id.startsWith('msg_') || !status || (at !== '' && Number.isNaN(Date.parse(at)))) return undefined;
    return { id, status, at: at === '' ? null : new Date(at) };
  },
  write: ({ id, status, at }) => `${id} ${status} ${at?.toISOString() ?? ''}`,
});

export const scheduledRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/messages',
    auth: 'tenant',
    cost: 2,
    scope: 'read',
    operationId: 'messages.list',
    summary: 'List waiting and unsent messages',
    description:
      'Returns messages that wait, or that ended without being sent: scheduled messages by their time, others ' +
      'newest first. Messages that were sent are in their conversations.',
    query: z.object({
      status: z.enum(UNSENT_STATUSES).default('scheduled').meta({ description: 'Only messages in this state.' }),
      session: SessionRef.optional().meta({ description: 'Only messages of one session, by its id or name.' }),
      conversationId: ConversationId.optional().meta({ description: 'Only messages of one conversation.' }),
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      messages: z.array(UnsentMessage).meta({ description: 'The messages of this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['not_found'],
    async handle({ scope, query }, { database, mediaLinks }) {
      const { status, limit, session: named, conversationId = null, cursor: after = null } = query;
      if (after && after.status !== status) {
        throw invalid({ pointer: 'query/cursor', message: `belongs to the list of status ${after.status}` });
      }
      const session = named === undefined ? null : await sessionInScope(database, scope, named);
      const only = { sessionId: session?.id ?? null, conversationId };
      const { found, phones } = await database.read(async (queries) => {
        const unsent = await listUnsent(queries, scope, { status, limit: limit + 1, after, ...only });
        const chatIds = unsent.map(({ chatId }) => chatId);
        return { found: unsent, phones: await findPhones(queries, scope, chatIds) };
      });
      const { rows, ...page } = pageOf(found, limit, ({ message: { id, scheduledAt = null } }) =>
        Cursor.encode({ id, status, at: status === 'scheduled' ? scheduledAt : null }),
      );
      return {
        messages: rows.map(({ message, chatId, plan }) =>
          toUnsentMessage(message, endOf(chatId, phones), mediaLinks, plan),
        ),
        ...page,
      };
    },
  }),

  defineRoute({
    method: 'PATCH',
    path: '/api/v1/messages/:messageId',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.update',
    summary: 'Change a waiting message',
    description:
      'Changes a message that has not begun to go out. `text` changes this message; `sendAt` and ' +
      '`expiresAt` change its whole request.\n\nWithout `expiresAt`, a rescheduled message keeps the ' +
      'interval between its due time and its expiry.',
    params: MessagePath,
    body: ChangeMessage,
    reply: UnsentMessage,
    errors: ['not_found', 'content_required', 'message_on_its_way', 'message_ended'],
    async handle({ scope, caller, params, body }, { database, mediaLinks }) {
      await database.transaction(async (tx) => {
        const locked = await lockRequest(tx, scope, params.messageId);
        if (!locked) throw notFound('message');
        const { message, waiting } = locked;
        const change = changeOf(body, message, tx.now);
        refuseUnless(waiting.includes(message), message);
        // A request whose first messages are on their way must not be put off, or the contact would get its other
        // messages much later.
        const onItsWay = (change.sendAt ? waiting : [message]).find(({ isReleased }) => isReleased);
        if (onItsWay) throw onItsWayError(onItsWay);
        await changeMessage(tx, message, waiting, change, caller.keyId);
      });
      return database.read(async (queries) => {
        const message = await findMessageInScope(queries, scope, params.messageId);
        const conversation = message && (await findConversationById(queries, message.conversationId));
        if (!conversation) throw notFound('message');
        const phones = await findPhones(queries, scope, [conversation.chatId]);
        const plan = await findPlan(queries, message);
        return toUnsentMessage(message, endOf(conversation.chatId, phones), mediaLinks, plan);
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/messages/:messageId/cancel',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.cancel',
    summary: 'Cancel a message before it goes out',
    description:
      'Cancels a message that waits. Cancelling the first message of a request also cancels the other ' +
      'waiting messages of the request, unless `wholeRequest` is false.\n\nThe response is final: a ' +
      'cancelled message has not been handed to the backend and never will be.',
    params: MessagePath,
    body: CancelMessage,
    reply: CancelledMessages,
    idempotent: true,
    errors: ['not_found', 'message_on_its_way', 'message_ended'],
    async handle({ scope, caller, params, body, commit }) {
      return commit.transaction(async (tx) => {
        const locked = await lockRequest(tx, scope, params.messageId);
        if (!locked) throw notFound('message');
        const { message, waiting } = locked;
        // When the first messages of a request are gone, `wholeRequest` still cancels the rest.
        if (body.wholeRequest !== true || waiting.length === 0) refuseUnless(waiting.includes(message), message);
        const cancelled = (body.wholeRequest ?? message.isFirst) ? waiting : [message];
        await cancelMessages(tx, cancelled, caller.keyId);
        return { messageId: message.id, status: 'cancelled' as const, cancelled: cancelled.map(({ id }) => id) };
      });
    },
  }),
];

function refuseUnless(waits: boolean, message: LockedMessage): void {
  if (waits) return;
  if (message.status === 'sending') throw onItsWayError(message);
  const next = wasSent(message.status)
    ? 'Send another message.'
    : 'Send it again with resend, or send another message.';
  throw new EngineError('message_ended', `It is ${message.status}. ${next}`);
}

function onItsWayError({ status }: LockedMessage): EngineError {
  return new EngineError(
    'message_on_its_way',
    status === 'queued'
      ? 'Its delivery has begun, so it cannot be changed. Cancel it, which is possible until it is being sent, and send another.'
      : `It is ${status}. Its status shows the outcome; if it ends without being sent, it can be sent again.`,
  );
}
