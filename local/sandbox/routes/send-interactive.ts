import { z } from 'zod';
import { isGroup, toChatId } from '../chat-id.ts';
import { newRouter } from '../http/context.ts';
import { endSend } from '../http/end-send.ts';
import { EngineFailure, notImplemented } from '../http/failures.ts';
import { parse } from '../http/parse.ts';
import { bareId, newMessageId } from '../ids.ts';
import { engineOf } from '../network/core.ts';
import { send } from '../network/send.ts';
import type { Draft } from '../network/send.ts';
import type { Parts } from '../parts.ts';

const SendButtons = z.looseObject({
  chatId: z.string(),
  header: z.string(),
  body: z.string(),
  footer: z.string().nullish(),
  buttons: z
    .array(
      z.looseObject({
        type: z.enum(['reply', 'url', 'call', 'copy']),
        text: z.string(),
        id: z.string().default(() => newMessageId()),
      }),
    )
    .min(1),
});

const SendList = z.looseObject({
  chatId: z.string(),
  message: z.looseObject({
    title: z.string(),
    description: z.string().nullish(),
    button: z.string('message.button should not be empty').min(1, 'message.button should not be empty'),
    sections: z
      .array(
        z.looseObject({ title: z.string(), rows: z.array(z.looseObject({ title: z.string(), rowId: z.string() })) }),
        'message.sections must contain at least 1 elements',
      )
      .min(1, 'message.sections must contain at least 1 elements'),
  }),
  reply_to: z.string().nullish(),
});

export function sendInteractiveRoutes(parts: Parts) {
  const { core, aftermath, sessions } = parts;
  const router = newRouter();

  router.post('/api/sendButtons', async (ctx) => {
    const { chatId, header, body, buttons } = parse(SendButtons, ctx.state.body);
    const session = await sessions.working(ctx, 'body');
    const engine = engineOf(core, session);
    if (engine !== 'NOWEB') throw notImplemented(engine);
    const lines = [header, body, ...buttons.map((button) => `[${button.text}]`)];
    const draft: Draft = {
      kind: 'buttons',
      chatId: toChatId(chatId),
      body: lines.filter((line) => line !== '').join('\n'),
      chosenId: null,
      options: buttons.filter(({ type }) => type === 'reply').map(({ id, text }) => ({ id, text })),
      relayed: true,
    };
    await endSend(ctx, parts, session, send(core, aftermath, session, draft, ctx.state.send));
  });

  router.post('/api/sendList', async (ctx) => {
    const { chatId, message, reply_to: replyTo } = parse(SendList, ctx.state.body);
    const session = await sessions.working(ctx, 'body');
    const engine = engineOf(core, session);
    if (engine === 'WEBJS') throw notImplemented(engine);
    if (isGroup(chatId)) throw new EngineFailure('Lists can be sent to direct chats only');
    const rows = message.sections.flatMap((section) => section.rows);
    const lines = [message.title, message.description ?? '', ...rows.map((row) => `- ${row.title}`)];
    const draft: Draft = {
      kind: 'list',
      chatId: toChatId(chatId),
      body: lines.filter((line) => line !== '').join('\n'),
      options: rows.map((row) => ({ id: row.rowId, text: row.title })),
      chosenId: null,
      relayed: engine === 'NOWEB',
      replyTo: replyTo ? bareId(replyTo) : undefined,
    };
    await endSend(ctx, parts, session, send(core, aftermath, session, draft, ctx.state.send));
  });

  return router;
}
