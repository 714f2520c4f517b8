import { z } from 'zod';
import { acceptSend } from '../../db/sending/accept.ts';
import { findConversationInScope } from '../../db/conversations/conversation.ts';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { markRead } from '../../db/conversations/read-marks.ts';
import { findResent, originOfResend, sendAgain } from '../../db/sending/repeat/resend.ts';
import { resolveMessage } from '../../db/sending/resolve.ts';
import { takeOverByPerson } from '../../db/agent/handover.ts';
import { awaitAiInFlight, listAiInFlight } from '../../db/agent/takeover.ts';
import { lockRequest } from '../../db/sending/waiting.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { hasEnded, wasSent } from '../../domain/sending/message-state.ts';
import { MessageStatus } from '../../domain/sending/message.ts';
import { ReplyAccepted, ReplyToConversation, SendAccepted } from '../../domain/sending/send.ts';
import { ResendMessage } from '../../domain/sending/unsent.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { awaitPreferred } from '../sending/prefer-wait.ts';
import { contentOf } from '../sending/content.ts';
import { accepted, newSend } from '../sending/send.ts';
import { wordsOf } from '../sending/given-text.ts';
import { ConversationId, MessageId } from '../../domain/ids.ts';

export const replyRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/conversations/:conversationId/messages',
    auth: 'tenant',
    scope: 'send',
    operationId: 'conversations.reply',
    location: 'The status of the first message.',
    summary: 'Reply in a conversation',
    description:
      "Sends a person's reply and marks the conversation as read (`unreadCount` 0). It goes before bulk " +
      'messages.\n\nIf the AI agent is on, it takes the conversation over, unless it is scheduled. ' +
      '`inFlight` names the AI messages that may still reach the network. If a person already has the ' +
      'conversation, it counts as human activity. With `actor: "bot"` it is neither a takeover nor human ' +
      'activity.',
    params: z.object({ conversationId: ConversationId }),
    body: ReplyToConversation,
    status: 202,
    reply: ReplyAccepted,
    idempotent: true,
    waits: true,
    errors: [
      'invalid_recipient',
      'content_required',
      'not_found',
      'not_supported_by_engine',
      'storage_limit',
      'disk_low',
      'overloaded',
    ],
    async handle({ scope, caller, params, body, commit, request }, deps) {
      const { database, fileStoring } = deps;
      const { conversationId } = params;
      const { text, pointer } = wordsOf(body.text, ['/content', body.content]);
      const send = await newSend({ caller, scope, database, session: undefined }, { ...body, conversationId }, (book) =>
        contentOf({ book, database, scope, fileStoring }, body, { text, textPointer: pointer }),
      );
      const isPerson = body.actor === 'person';
      const origin = isPerson ? 'person' : 'api';
      const reply = await commit.transaction(async (tx) => {
        await deps.shedding.admit(scope.agencyId, { ...send, origin }, tx);
        const conversation = await findConversationInScope(tx, scope, conversationId);
        if (!conversation) throw notFound('conversation', 'path/conversationId');
        const isNow = !(send.sendAt && send.sendAt > tx.now);
        const actor = caller.actor ?? null;
        const by = { cause: 'reply', keyId: caller.keyId, actor, assignee: actor } as const;
        const takes = isPerson && isNow && (await takeOverByPerson(tx, scope, conversation.id, by)) !== null;
        const sent = await acceptSend(tx, scope, { ...send, origin });
        const { status, body: ids, headers } = accepted(sent, {});
        if (isPerson) await markRead(tx, ids.conversationId, 'all');
        const inFlight = takes ? await listAiInFlight(tx, scope, conversation.id) : [];
        return answer(status, { ...ids, inFlight }, headers);
      });
      const isAlone = reply.body.inFlight.length === 0;
      const inFlight = isAlone ? [] : await awaitAiInFlight(database, scope, conversationId);
      const { status, body: ids, headers } = reply;
      return awaitPreferred({ scope, request, ...deps }, answer(status, { ...ids, inFlight }, headers));
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/messages/:messageId/resend',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.resend',
    location: 'The status of the new message.',
    summary: 'Resend an ended message',
    description:
      'Sends a new message with the same content, with `resendOf`. A message can be resent once; another ' +
      'copy requires `force`.\n\nAn uncertain message may have arrived, so check the chat first: resending ' +
      'it states that it did not arrive, and makes it `failed`.',
    params: z.object({ messageId: MessageId }),
    body: ResendMessage,
    status: 202,
    reply: SendAccepted,
    idempotent: true,
    errors: [
      'not_found',
      'message_not_ended',
      'message_was_sent',
      'message_resent',
      'not_supported_by_engine',
      'overloaded',
    ],
    async handle({ scope, caller, params, body, commit }, { shedding }) {
      return commit.transaction(async (tx) => {
        // The lock makes the second of two equal requests see what the first has made.
        const locked = await lockRequest(tx, scope, params.messageId);
        const message = locked && (await findMessageInScope(tx, scope, params.messageId));
        if (!message) throw notFound('message');
        const resent = await findResent(tx, message);
        refuseResend(MessageStatus.parse(message.status), resent, body.force);
        await shedding.admit(scope.agencyId, { origin: originOfResend(message), bulk: message.bulk }, tx);
        if (message.status !== 'uncertain') return accepted(await sendAgain(tx, message), {});
        // A request to send an uncertain message again decides that the message did not arrive.
        const decision = {
          outcome: 'resend' as const,
          actor: caller.actor ?? caller.keyId,
          reason: 'sent again by request',
        };
        const resolved = await resolveMessage(tx, message.id, decision, { byWorkflow: false, keyId: caller.keyId });
        if (resolved.outcome === 'refused' || !resolved.resent)
          throw new Error('The message was uncertain a moment ago.');
        return accepted(resolved.resent, {});
      });
    },
  }),
];

function refuseResend(status: MessageStatus, resent: string | null, force: boolean): void {
  if (!hasEnded(status)) {
    throw new EngineError('message_not_ended', `It is ${status}. Wait until it ends, or cancel it and send another.`);
  }
  if (force) return;
  if (wasSent(status)) {
    throw new EngineError('message_was_sent', `It is ${status}. With force the contact gets it twice.`);
  }
  if (resent !== null) {
    throw new EngineError('message_resent', `It was already sent again, as ${resent}. Another copy requires force.`);
  }
}
