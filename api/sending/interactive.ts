import { EngineError } from '../../domain/error.ts';
import { SendButtons, SendList } from '../../domain/sending/send.ts';
import { defineRoute } from '../deps.ts';
import { accepting, sendAndAnswer } from './send-and-answer.ts';
import { namedIn, newSend } from './send.ts';
import { wordsOf } from './given-text.ts';

const RENDERED =
  "Falls back to numbered text if the session's engine cannot show it; a reply with a number then comes back as " +
  'the choice. `renderedAs` says which form was sent.';

export const interactiveRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/sendButtons',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.sendButtons',
    location: 'The status of the message.',
    summary: 'Send a message with buttons',
    description: RENDERED,
    body: SendButtons,
    ...accepting,
    errors: ['recipient_required', 'invalid_recipient', 'content_required', 'not_found', 'overloaded'],
    async handle(input, deps) {
      const { caller, scope, body } = input;
      const { session, header, footer, buttons } = body;
      const { text = '', pointer } = wordsOf(body.text, ['/body', body.body]);
      if (text.trim() === '') {
        throw new EngineError('content_required', 'Buttons need a text above them.', {
          fields: [{ pointer, message: 'is required' }],
        });
      }
      const part = { kind: 'buttons' as const, body: text, content: { buttons: { header, footer, buttons } } };
      const send = await newSend({ caller, scope, database: deps.database, session }, body, [part]);
      return sendAndAnswer(input, deps, { send, named: namedIn(body) });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/sendList',
    auth: 'tenant',
    scope: 'send',
    operationId: 'messages.sendList',
    location: 'The status of the message.',
    summary: 'Send a message with a list',
    description: RENDERED,
    body: SendList,
    ...accepting,
    errors: ['recipient_required', 'invalid_recipient', 'not_found', 'overloaded'],
    async handle(input, deps) {
      const { caller, scope, body } = input;
      const { session, message } = body;
      const { description, ...list } = message;
      const { text = '' } = wordsOf(body.text, ['/message/description', description]);
      const part = { kind: 'list' as const, body: text, content: { list } };
      const send = await newSend({ caller, scope, database: deps.database, session }, body, [part]);
      return sendAndAnswer(input, deps, { send, named: namedIn(body) });
    },
  }),
];
