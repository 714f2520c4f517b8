import { partsOfFile } from '../../domain/sending/parts.ts';
import { SendMedia, SendMessage } from '../../domain/sending/send.ts';
import { defineRoute } from '../deps.ts';
import { contentOf } from './content.ts';
import { accepting, sendAndAnswer } from './send-and-answer.ts';
import { namedIn, newSend } from './send.ts';
import { wordsOf } from './given-text.ts';

/**
 * The headers that mark a route as deprecated (RFC 9745), end its life (RFC 8594) and link its successor (RFC 8288).
 */
const DEPRECATION = {
  deprecation: `@${Date.UTC(2026, 10, 1) / 1_000}`,
  sunset: new Date(Date.UTC(2027, 10, 1)).toUTCString(),
  link: '</api/v1/messages/send>; rel="successor-version"',
};

export const messageRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/messages/send',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.send',
    location: 'The status of the first message.',
    summary: 'Send a message',
    description:
      'Sends a text, attachments, or both, as separate messages. Returns 202 once they are stored; ' +
      '`message.ack` events report the outcome.\n\n`messages` lists them, the text first. With a single ' +
      'image, document or video, the text becomes its caption. The status route in `Location` also reports ' +
      'the outcome. Alternatively, it sends one of `location`, `contacts`, `poll` and `forward`. If the ' +
      "session's engine does not support one, the request returns 501.",
    body: SendMessage,
    ...accepting,
    errors: [
      'recipient_required',
      'invalid_recipient',
      'content_required',
      'not_found',
      'not_supported_by_engine',
      'storage_limit',
      'disk_low',
      'overloaded',
    ],
    async handle(input, deps) {
      const { caller, scope, body } = input;
      const { database, fileStoring } = deps;
      const { session, text } = body;
      const send = await newSend({ caller, scope, database, session }, body, (book) =>
        contentOf({ book, database, scope, fileStoring }, body, { text, textPointer: '/text' }),
      );
      return sendAndAnswer(input, deps, { send, named: namedIn(body) });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/media/send',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.sendMedia',
    location: 'The status of the first message.',
    summary: 'Send one file',
    description: 'Does the same as `messages/send` with an attachment. `id` is the session.',
    deprecated: true,
    body: SendMedia,
    ...accepting,
    errors: ['recipient_required', 'invalid_recipient', 'not_found', 'overloaded'],
    async handle(input, deps) {
      const { caller, scope, body } = input;
      const { id: session, url, kind } = body;
      const { text: caption } = wordsOf(body.text, ['/caption', body.caption]);
      const parts = partsOfFile({ kind, url, caption });
      const send = await newSend({ caller, scope, database: deps.database, session }, body, parts);
      const named = { ...namedIn(body), session: '/id' };
      return sendAndAnswer(input, deps, { send, named, headers: DEPRECATION });
    },
  }),
];
