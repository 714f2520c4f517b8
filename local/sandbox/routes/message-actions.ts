import { z } from 'zod';
import { newRouter, paramOf } from '../http/context.ts';
import { notFound } from '../http/failures.ts';
import { parse } from '../http/parse.ts';
import { edit, react, revoke } from '../network/changes.ts';
import { accountOf } from '../network/core.ts';
import { findMessage } from '../network/history.ts';
import type { Parts } from '../parts.ts';
import type { Session, StoredMessage } from '../state/session.ts';

const Reaction = z.object({ messageId: z.string(), reaction: z.string() });
const Star = z.object({ messageId: z.string(), star: z.boolean() });
const Edit = z.object({ text: z.string() });

export function messageActionRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.put('/api/reaction', async (ctx) => {
    const session = await sessions.working(ctx, 'body');
    const { messageId, reaction } = parse(Reaction, ctx.state.body);
    ctx.body = react(core, session, found(session, messageId), {
      from: accountOf(session).id,
      text: reaction,
      fromMe: true,
    });
  });

  router.put('/api/star', async (ctx) => {
    const session = await sessions.working(ctx, 'body');
    found(session, parse(Star, ctx.state.body).messageId);
    ctx.status = 200;
    ctx.body = '';
  });

  router.put('/api/:session/chats/:chatId/messages/:messageId', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { text } = parse(Edit, ctx.state.body);
    edit(core, session, found(session, paramOf(ctx, 'messageId')), text);
    ctx.body = { result: true };
  });

  router.delete('/api/:session/chats/:chatId/messages/:messageId', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    revoke(core, session, found(session, paramOf(ctx, 'messageId')));
    ctx.body = { result: true };
  });

  return router;
}

function found(session: Session, id: string): StoredMessage {
  const message = findMessage(session, id);
  if (!message) throw notFound('Message not found');
  return message;
}
