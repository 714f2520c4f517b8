import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter, paramOf } from '../http/context.ts';
import { parse } from '../http/parse.ts';
import { emitWhileWorking } from '../network/emit.ts';
import type { Parts } from '../parts.ts';

const Presence = z.object({ presence: z.enum(['online', 'offline', 'typing', 'recording', 'paused']) });
const Reject = z.object({ from: z.string(), id: z.string() });

/** Actions whose effect contacts would see; the sandbox only answers and records them. */
export function chatActionRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  for (const act of ['archive', 'unarchive']) {
    router.post(`/api/:session/chats/:chatId/${act}`, async (ctx) => {
      const session = await sessions.working(ctx, 'path');
      const id = toChatId(paramOf(ctx, 'chatId'));
      const timestamp = Math.floor(Date.now() / 1000);
      emitWhileWorking(core, session, 'chat.archive', { id, timestamp, archived: act === 'archive' });
      ctx.status = 201;
      ctx.body = { success: true };
    });
  }

  router.post('/api/:session/chats/:chatId/unread', async (ctx) => {
    await sessions.working(ctx, 'path');
    ctx.status = 201;
    ctx.body = { success: true };
  });

  router.post('/api/:session/presence', async (ctx) => {
    await sessions.working(ctx, 'path');
    parse(Presence, ctx.state.body);
    ctx.status = 201;
    ctx.body = { result: true };
  });

  router.post('/api/:session/presence/:chatId/subscribe', async (ctx) => {
    await sessions.working(ctx, 'path');
    ctx.status = 201;
    ctx.body = '';
  });

  router.get('/api/:session/presence/:chatId', async (ctx) => {
    await sessions.working(ctx, 'path');
    ctx.body = { id: toChatId(paramOf(ctx, 'chatId')), presences: [] };
  });

  router.post('/api/:session/calls/reject', async (ctx) => {
    await sessions.working(ctx, 'path');
    parse(Reject, ctx.state.body);
    ctx.status = 201;
    ctx.body = { result: true };
  });

  return router;
}
