import { SendAccepted, SendMessage } from '../../domain/message.ts';
import { defineRoute } from '../deps.ts';
import { resolveRecipient } from '../recipient.ts';
import { accept, accepted, textOf } from '../send.ts';
import { requireSession } from '../session-in-scope.ts';

export const messageRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/messages/send',
    auth: 'tenant',
    tags: ['Sending'],
    summary: 'Send a message',
    description:
      'Answers 202 once the message is durably accepted. What becomes of it is told by `message.ack` events and by the ' +
      'status route in `Location`.',
    body: SendMessage,
    status: 202,
    reply: SendAccepted,
    errors: ['recipient_required', 'invalid_recipient', 'content_required', 'not_supported_yet', 'not_found'],
    async handle({ scope, body }, { database }) {
      const text = textOf({ text: body.text, attachments: body.attachments, textPointer: '/text' });
      return accepted(
        await database.transaction(async (tx) => {
          const session = await requireSession(tx, scope, body.session);
          const conversation = await resolveRecipient(tx, scope, session, body);
          return accept(tx, session, conversation, { text, origin: 'api' });
        }),
      );
    },
  }),
];
