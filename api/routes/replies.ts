import { z } from 'zod';
import { acceptSend } from '../../db/accept.ts';
import { findConversationInScope } from '../../db/conversation.ts';
import { findMessageInScope } from '../../db/message.ts';
import { partOf } from '../../db/resend.ts';
import { listAiInFlight, takeOver } from '../../db/takeover.ts';
import { findTenant } from '../../db/tenant.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { EXPIRES_AFTER_MS, hasEnded, wasSent } from '../../domain/message-state.ts';
import { MessageStatus } from '../../domain/message.ts';
import { ReplyAccepted, ReplyToConversation, SendAccepted } from '../../domain/send.ts';
import { ResendMessage } from '../../domain/unsent.ts';
import { answer } from '../answer.ts';
import { defineRoute } from '../deps.ts';
import { accepted, contentOf, newSend } from '../send.ts';
import { awaitAiInFlight } from '../takeover.ts';

export const replyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    auth: 'tenant',
    tags: ['Inbox', 'Sending'],
    summary: 'Reply in a conversation',
    description:
      "A person's reply: it goes before bulk, and where the AI agent is on it takes the conversation over, unless it is " +
      'scheduled.',
    params: z.object({ conversationId: z.string().min(1).max(128) }),
    body: ReplyToConversation,
    status: 202,
    reply: ReplyAccepted,
    idempotent: true,
    errors: ['invalid_recipient', 'content_required', 'not_found'],
    async handle({ scope, params, body, commit }, { database }) {
      const { conversationId } = params;
      const { content: text, attachments, mentions } = body;
      const send = await newSend({ scope, database, session: undefined }, { ...body, conversationId }, (book) =>
        contentOf(book, { text, attachments, mentions, textPointer: '/content' }),
      );
      const isPerson = body.actor === 'person';
      const reply = await commit.transaction(async (tx) => {
        const conversation = await findConversationInScope(tx, scope, conversationId);
        if (!conversation) throw notFound('conversation');
        const takes =
          isPerson &&
          !(send.sendAt && send.sendAt > tx.now) &&
          conversation.mode === 'bot_active' &&
          (await findTenant(tx, scope))?.aiEnabled === true;
        if (takes) await takeOver(tx, scope, conversation.id, { mode: 'human_takeover', assignee: null });
        const sent = await acceptSend(tx, scope, { ...send, origin: isPerson ? 'person' : 'api' });
        const { status, body: ids, headers } = accepted(sent);
        const inFlight = takes ? await listAiInFlight(tx, scope, conversation.id) : [];
        return answer(status, { ...ids, inFlight }, headers);
      });
      if (reply.body.inFlight.length === 0) return reply;
      const inFlight = await awaitAiInFlight(database, scope, conversationId);
      return answer(reply.status, { ...reply.body, inFlight }, reply.headers);
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/messages/:messageId/resend',
    auth: 'tenant',
    tags: ['Inbox', 'Sending'],
    summary: 'Send a message again that has ended',
    description:
      'A new message that says the same, with `resendOf`. An uncertain message may have arrived: look into the chat before.',
    params: z.object({ messageId: z.string().min(1).max(128) }),
    body: ResendMessage,
    status: 202,
    reply: SendAccepted,
    idempotent: true,
    errors: ['not_found', 'message_not_ended', 'message_was_sent'],
    async handle({ scope, params, body, commit }) {
      return commit.transaction(async (tx) => {
        const message = await findMessageInScope(tx, scope, params.messageId);
        const isOurs = message?.origin === 'api' || message?.origin === 'person' || message?.origin === 'ai';
        if (!message || !isOurs) throw notFound('message');
        const status = MessageStatus.parse(message.status);
        if (!hasEnded(status)) throw new EngineError('message_not_ended', `It is ${status}.`);
        if (wasSent(status) && !body.force) {
          throw new EngineError('message_was_sent', `It is ${status}. With force the contact gets it twice.`);
        }
        const resent = await acceptSend(tx, scope, {
          session: message.sessionId,
          recipient: { conversationId: message.conversationId },
          parts: [partOf(message)],
          // Somebody has decided it, so the agent's fence no longer matters.
          origin: message.origin === 'api' ? 'api' : 'person',
          bulk: message.bulk,
          expires: { afterMs: EXPIRES_AFTER_MS.default },
          resendOf: message.id,
        });
        return accepted(resent);
      });
    },
  }),
];
