import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter, paramOf } from '../http/context.ts';
import { endSend } from '../http/end-send.ts';
import { EngineFailure, notImplemented } from '../http/failures.ts';
import { bareId, newMessageId } from '../ids.ts';
import { engineOf } from '../network/core.ts';
import { send } from '../network/send.ts';
import type { Parts } from '../parts.ts';

const SendText = z.looseObject({
  chatId: z.string(),
  text: z.string(),
  id: z.string().nullish(),
  reply_to: z.string().nullish(),
});

export function sendTextRoutes(parts: Parts) {
  const { core, aftermath, sessions } = parts;
  const router = newRouter();

  router.post('/api/sendText', async (ctx) => {
    const session = await sessions.working(ctx, 'body');
    const body = SendText.safeParse(ctx.state.body);
    // The real backend does not validate here and fails on the missing value.
    if (!body.success) throw new EngineFailure("Cannot read properties of undefined (reading 'endsWith')");
    const { chatId, text, id, reply_to: replyTo } = body.data;
    const draft = {
      kind: 'text' as const,
      chatId: toChatId(chatId),
      body: text,
      chosenId: id ?? null,
      replyTo: replyTo ? bareId(replyTo) : undefined,
    };
    await endSend(ctx, parts, session, send(core, aftermath, session, draft, ctx.state.send));
  });

  router.get('/api/:session/new-message-id', async (ctx) => {
    const session = await sessions.inStatus(paramOf(ctx, 'session'), 'WORKING');
    if (engineOf(core, session) === 'WEBJS') throw notImplemented('WEBJS');
    ctx.body = { id: newMessageId() };
  });

  return router;
}
