import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter } from '../http/context.ts';
import { endSend } from '../http/end-send.ts';
import { EngineFailure, notFound, notImplemented } from '../http/failures.ts';
import { bareId } from '../ids.ts';
import { engineOf } from '../network/core.ts';
import { findMessage } from '../network/history.ts';
import { send } from '../network/send.ts';
import type { Draft } from '../network/send.ts';
import type { Parts } from '../parts.ts';
import { nameOn } from '../shapes/lone-content.ts';
import type { Engine } from '../state/fact.ts';
import type { Session } from '../state/session.ts';

const Common = z.looseObject({ chatId: z.string(), id: z.string().nullish(), reply_to: z.string().nullish() });
const Poll = z.object({
  poll: z.object({ name: z.string(), options: z.array(z.string()), multipleAnswers: z.boolean().default(false) }),
});
const Location = z.object({ latitude: z.number(), longitude: z.number(), title: z.string() });
const Contacts = z.object({
  contacts: z.array(
    z.object({
      vcard: z.string().nullish(),
      fullName: z.string().optional(),
      phoneNumber: z.string().optional(),
      organization: z.string().optional(),
    }),
  ),
});
const Preview = z.object({ text: z.string() });
const LinkPreview = z.object({ url: z.string() });
const Chosen = z.object({ selectedDisplayText: z.string() });
const Invitation = z.looseObject({ chatId: z.string(), event: z.looseObject({ name: z.string() }) });
const Forward = z.object({ messageId: z.string() });

type Content = Pick<Draft, 'kind' | 'body' | 'location' | 'vcards' | 'poll' | 'forwards'>;

/** The content of each other kind of send; its body is the text of the sandbox's own page. */
const ROUTES: readonly (readonly [string, (body: unknown, session: Session) => Content, Engine?])[] = [
  ['sendPoll', (body) => pollOf(Poll.parse(body).poll), 'WEBJS'],
  ['sendLocation', (body) => locationOf(Location.parse(body))],
  ['sendContactVcard', (body) => contactsOf(Contacts.parse(body).contacts)],
  ['send/link-custom-preview', (body) => said(Preview.parse(body).text)],
  ['reply', (body) => said(Preview.parse(body).text)],
  ['sendLinkPreview', (body) => said(LinkPreview.parse(body).url)],
  ['send/buttons/reply', (body) => said(Chosen.parse(body).selectedDisplayText)],
  ['forwardMessage', (body, session) => forwarded(session, Forward.parse(body).messageId), 'GOWS'],
];

export function sendOtherRoutes(parts: Parts) {
  const { core, aftermath, sessions } = parts;
  const router = newRouter();
  for (const [route, contentOf, lackedBy] of ROUTES) {
    router.post(`/api/${route}`, async (ctx) => {
      const session = await sessions.working(ctx, 'body');
      const engine = engineOf(core, session);
      if (engine === lackedBy) throw notImplemented(engine);
      const body = Common.safeParse(ctx.state.body);
      if (!body.success) throw new EngineFailure("Cannot read properties of undefined (reading 'endsWith')");
      const { chatId, id, reply_to: replyTo } = body.data;
      const draft = {
        ...contentOf(ctx.state.body, session),
        chatId: toChatId(chatId),
        chosenId: id ?? null,
        replyTo: replyTo ? bareId(replyTo) : undefined,
      };
      await endSend(ctx, parts, session, send(core, aftermath, session, draft, ctx.state.send));
    });
  }
  router.post('/api/:session/events', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { chatId, event } = Invitation.parse(ctx.state.body);
    const draft = { kind: 'text' as const, chatId: toChatId(chatId), body: event.name, chosenId: null };
    await endSend(ctx, parts, session, send(core, aftermath, session, draft, ctx.state.send));
  });

  router.post('/api/sendPollVote', async (ctx) => {
    await sessions.working(ctx, 'body');
    ctx.status = 201;
    ctx.body = '';
  });

  return router;
}

function said(body: string): Content {
  return { kind: 'text', body };
}

function pollOf(poll: NonNullable<Draft['poll']>): Content {
  return { kind: 'poll', body: [poll.name, ...poll.options].join('\n- '), poll };
}

function locationOf(location: NonNullable<Draft['location']>): Content {
  const { latitude, longitude, title } = location;
  return { kind: 'location', body: [latitude, longitude, title].join(' '), location };
}

function contactsOf(contacts: z.infer<typeof Contacts>['contacts']): Content {
  const vcards = contacts.map(
    ({ vcard, fullName, phoneNumber, organization }) =>
      vcard ??
      [
        'BEGIN:VCARD',
        'VERSION:3.0',
        `FN:${fullName}`,
        `ORG:${organization ?? ''};`,
        `TEL:${phoneNumber}`,
        'END:VCARD',
      ].join('\n'),
  );
  return { kind: 'contact', body: vcards.map(nameOn).join(', '), vcards };
}

function forwarded(session: Session, messageId: string): Content {
  const message = findMessage(session, messageId);
  if (!message) throw notFound('Message not found');
  return { kind: message.kind, body: message.body, forwards: message };
}
