import { acceptSend } from '../../db/sending/accept.ts';
import { SendAccepted, SendMedia, SendMessage } from '../../domain/sending/send.ts';
import { answer } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { awaitPreferred } from './prefer-wait.ts';
import { accepted, contentOf, namedIn, newSend, refuseCaptions } from './send.ts';

/** RFC 9745, RFC 8594 and RFC 8288. */
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
    tags: ['Sending'],
    summary: 'Send a message',
    description:
      'A text, attachments, or both. Each becomes a message of its own, the text first, and `messages` lists them; a text ' +
      'with one image, document or video becomes its caption. Answers 202 once they are durably accepted. What becomes of ' +
      'them is told by `message.ack` events and by the status route in `Location`.',
    body: SendMessage,
    status: 202,
    reply: SendAccepted,
    idempotent: true,
    waits: true,
    errors: ['recipient_required', 'invalid_recipient', 'content_required', 'not_found'],
    async handle({ scope, body, commit, request }, deps) {
      const { session, text, attachments, mentions } = body;
      const send = await newSend({ scope, database: deps.database, session }, body, (book) =>
        contentOf(book, { text, attachments, mentions, textPointer: '/text' }),
      );
      const reply = await commit.statement(async (tx) => accepted(await acceptSend(tx, scope, send), namedIn(body)));
      return awaitPreferred({ scope, request, ...deps }, reply);
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/media/send',
    auth: 'tenant',
    tags: ['Sending'],
    summary: 'Send one file',
    description: '`messages/send` with an attachment does the same. `id` is the session.',
    deprecated: true,
    body: SendMedia,
    status: 202,
    reply: SendAccepted,
    idempotent: true,
    waits: true,
    errors: ['recipient_required', 'invalid_recipient', 'not_found'],
    async handle({ scope, body, commit, request }, deps) {
      const { id: session, url, kind, caption = '' } = body;
      refuseCaptions([{ kind, caption }], () => '/caption');
      const part = { kind, body: caption, content: { attachment: { url } } };
      const send = await newSend({ scope, database: deps.database, session }, body, [part]);
      const reply = await commit.statement(async (tx) => {
        const named = { ...namedIn(body), session: '/id' };
        const { status, body: sent, headers } = accepted(await acceptSend(tx, scope, send), named);
        return answer(status, sent, { ...headers, ...DEPRECATION });
      });
      return awaitPreferred({ scope, request, ...deps }, reply);
    },
  }),
];
