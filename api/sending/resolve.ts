import { z } from 'zod';
import { findMessageInScope } from '../../db/conversations/message.ts';
import { resolveMessage } from '../../db/sending/resolve.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { MessageStatus } from '../../domain/sending/message.ts';
import { Resolution } from '../../domain/sending/resolution.ts';
import { Target } from '../../domain/scope.ts';
import { defineRoute } from '../deps.ts';
import { actingAs } from '../route/caller.ts';
import { MessageId } from '../../domain/ids.ts';

const ResolveMessage = z
  .strictObject({ ...Target, ...Resolution.shape })
  .meta({ id: 'ResolveMessage', description: 'The state of the message in the chat, as a person saw it.' });
const MessageResolved = z
  .object({
    messageId: MessageId,
    status: MessageStatus,
    resentAs: MessageId.nullable().meta({ description: 'The message that is sent in its place. Null if none is.' }),
  })
  .meta({ id: 'MessageResolved', description: "The message's status now." });

export const resolveRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/inbox/messages/:messageId/resolve',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.resolve',
    summary: 'Resolve an uncertain message',
    description:
      'Records whether a person saw the message in the chat. It arrived, is sent again as a new message, ' +
      "or is left.\n\nThe message's history keeps the person and the reason.",
    params: z.object({ messageId: MessageId }),
    body: ResolveMessage,
    reply: MessageResolved,
    idempotent: true,
    errors: ['not_found', 'message_not_uncertain'],
    async handle({ scope, caller, params: { messageId }, body, commit }) {
      const { outcome, reason } = body;
      const actor = actingAs(caller, body.actor) ?? caller.keyId;
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
            `It is ${resolved.status}; only an uncertain message can be resolved.`,
          );
        }
        return { messageId, status: resolved.status, resentAs: resolved.resentAs };
      });
    },
  }),
];
