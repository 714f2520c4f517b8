import { z } from 'zod';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { resolveMessage } from '../../db/sending/resolve.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { MessageStatus } from '../../domain/sending/message.ts';
import { Resolution } from '../../domain/sending/resolution.ts';
import { ExternalId } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { MessageId } from '../../domain/ids.ts';

export const resolveRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/messages/:messageId/resolve',
    auth: 'tenant',
    scope: 'send',
    tags: ['Inbox'],
    summary: 'Say what became of an uncertain message',
    description:
      'For somebody who has looked into the chat: it arrived, it did not and is sent again as a new message, or it did not ' +
      'and is left. Who and why are kept in its history.',
    params: z.object({ messageId: MessageId }),
    body: Resolution.extend({ agencyId: ExternalId.optional(), tenantId: ExternalId.optional() }).meta({
      id: 'ResolveMessage',
    }),
    reply: z.object({
      messageId: z.string(),
      status: MessageStatus,
      resentAs: z.string().nullable().meta({ description: 'The message that is sent in its place.' }),
    }),
    idempotent: true,
    errors: ['not_found', 'message_not_uncertain'],
    async handle({ scope, caller, params: { messageId }, body, commit }) {
      const { outcome, actor, reason } = body;
      return commit.transaction(async (tx) => {
        if (!(await findMessageInScope(tx, scope, messageId))) throw notFound('message');
        const resolved = await resolveMessage(
          tx,
          messageId,
          { outcome, actor, reason },
          { byWorkflow: false, keyId: caller.keyId },
        );
        if (resolved.outcome === 'refused') {
          throw new EngineError(
            'message_not_uncertain',
            `It is ${resolved.status}; only an uncertain message is resolved.`,
          );
        }
        return { messageId, status: resolved.status, resentAs: resolved.resentAs };
      });
    },
  }),
];
