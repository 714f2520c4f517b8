import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter } from '../http/context.ts';
import { endSend } from '../http/end-send.ts';
import { EngineFailure, notFound } from '../http/failures.ts';
import { bareId } from '../ids.ts';
import { findMessage } from '../network/history.ts';
import { send } from '../network/send.ts';
import type { Parts } from '../parts.ts';
import type { Kind } from '../state/message.ts';
import type { Session } from '../state/session.ts';

const Common = z.looseObject({ chatId: z.string(), id: z.string().nullish(), reply_to: z.string().nullish() });
const Poll = z.object({ poll: z.object({ name: z.string(), options: z.array(z.string()) }) });
const Location = z.object({ latitude: z.number(), longitude: z.number(), title: z.string() });
const Contacts = z.object({ contacts: z.array(z.looseObject({ fullName: z.string().optional() })) });
const Preview = z.object({ text: z.string() });
const LinkPreview = z.object({ url: z.string() });
const Chosen = z.object({ selectedDisplayText: z.string() });
const Invitation = z.looseObject({ chatId: z.string(), event: z.looseObject({ name: z.string() }) });
const Forward = z.object({ messageId: z.string() });

/** Sends of other kinds, which the sandbox keeps as texts that describe them. */
const ROUTES: readonly (readonly [string, Kind, (body: unknown, session: Session) => string])[] = [
  ['sendPoll', 'poll', (body) => [Poll.parse(body).poll.name, ...Poll.parse(body).poll.options].join('\n- ')],
  ['sendLocation', 'location', (body) => Object.values(Location.parse(body)).join(' ')],
  ['sendContactVcard', 'contact', (body) => named(Contacts.parse(body).contacts)],
  ['send/link-custom-preview', 'text', (body) => Preview.parse(body).text],
  ['reply', 'text', (body) => Preview.parse(body).text],
  ['sendLinkPreview', 'text', (body) => LinkPreview.parse(body).url],
  ['send/buttons/reply', 'text', (body) => Chosen.parse(body).selectedDisplayText],
  ['forwardMessage', 'text', (body, session) => forwarded(session, Forward.parse(body).messageId)],
];

export function sendOtherRoutes(parts: Parts) {
  const { core, aftermath, sessions } = parts;
  const router = newRouter();
  for (const [route, kind, textOf] of ROUTES) {
    router.post(`/api/${route}`, async (ctx) => {
      const session = await sessions.working(ctx, 'body');
      const body = Common.safeParse(ctx.state.body);
      if (!body.success) throw new EngineFailure("Cannot read properties of undefined (reading 'endsWith')");
      const { chatId, id, reply_to: replyTo } = body.data;
      const draft = {
        kind,
        chatId: toChatId(chatId),
        body: textOf(ctx.state.body, session),
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

const named = (contacts: readonly { fullName?: string | undefined }[]): string =>
  contacts.map(({ fullName }) => fullName ?? 'vCard').join(', ');

function forwarded(session: Session, messageId: string): string {
  const message = findMessage(session, messageId);
  if (!message) throw notFound('Message not found');
  return message.body;
}
