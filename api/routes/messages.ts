import { EXPIRES_AFTER_MS } from '../../domain/message-state.ts';
import { SendAccepted, SendMessage } from '../../domain/message.ts';
import { acceptSend } from '../../db/accept.ts';
import { defineRoute } from '../deps.ts';
import { recipientOf } from '../recipient.ts';
import { accepted, textOf } from '../send.ts';

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
      const send = { session: body.session, recipient: recipientOf(body), text, origin: 'api' as const };
      return accepted(
        await database.statement((tx) => acceptSend(tx, scope, { ...send, expiresAfterMs: EXPIRES_AFTER_MS.default })),
      );
    },
  }),
];
