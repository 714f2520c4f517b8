import { z } from 'zod';
import { toChatId } from '../chat-id.ts';
import { newRouter } from '../http/context.ts';
import { EngineFailure } from '../http/failures.ts';
import { readChat } from '../network/read-chat.ts';
import type { Parts } from '../parts.ts';

const InChat = z.looseObject({ chatId: z.string() });

export function presenceRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.post('/api/sendSeen', async (ctx) => {
    const session = await sessions.working(ctx, 'body');
    ctx.status = 201;
    ctx.body = { ids: readChat(core, session, chatOf(ctx.state.body)) };
  });

  for (const act of ['startTyping', 'stopTyping']) {
    router.post(`/api/${act}`, async (ctx) => {
      await sessions.working(ctx, 'body');
      chatOf(ctx.state.body);
      ctx.status = 201;
      ctx.body = { result: true };
    });
  }

  return router;
}

function chatOf(body: unknown): string {
  const parsed = InChat.safeParse(body);
  if (!parsed.success) throw new EngineFailure("Cannot read properties of undefined (reading 'endsWith')");
  return toChatId(parsed.data.chatId);
}
