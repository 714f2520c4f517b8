import { z } from 'zod';
import { newRouter, paramOf, queryOf } from '../http/context.ts';
import type { Context } from '../http/context.ts';
import { EngineFailure } from '../http/failures.ts';
import { page } from '../http/page.ts';
import { chatsOf, hasStore } from '../network/history.ts';
import { accountOf } from '../network/core.ts';
import { viewOf } from '../network/emit.ts';
import { readChat } from '../network/read-chat.ts';
import { toChatId } from '../chat-id.ts';
import type { Parts } from '../parts.ts';
import { waMessage } from '../shapes/wa-message.ts';
import type { Session } from '../state/session.ts';

const Overview = z.object({
  pagination: z.object({ limit: z.coerce.number().int().optional(), offset: z.coerce.number().int().optional() }),
  filter: z.object({ ids: z.array(z.string()).nullish() }).nullish(),
});

export function chatRoutes({ core, sessions }: Parts) {
  const router = newRouter();
  const working = (ctx: Context) => sessions.working(ctx, 'path');
  const chatsIn = (session: Session) => (hasStore(core, session) ? chatsOf(accountOf(session)) : []);

  const overview = (session: Session, ids: readonly string[], limit: number, offset: number) => {
    const view = viewOf(core, session, false);
    // A person's phone and hidden id name the same chat.
    const wanted = new Set(ids.flatMap((id) => [toChatId(id), view.account.aliases.get(toChatId(id))]));
    return chatsIn(session)
      .filter((chat) => ids.length === 0 || wanted.has(chat.id))
      .slice(offset, offset + limit)
      .map(({ id, name, last, unread }) => ({
        id,
        name: name ?? null,
        picture: null,
        lastMessage: last ? waMessage(last, view) : null,
        // Only WEBJS counts unread messages.
        _chat: {
          id,
          name,
          conversationTimestamp: last?.timestamp,
          ...(view.engine === 'WEBJS' && { unreadCount: unread }),
        },
      }));
  };

  router.get('/api/:session/chats', async (ctx) => {
    const session = await working(ctx);
    const { limit, offset } = page(ctx, Number.MAX_SAFE_INTEGER);
    const chats = chatsIn(session);
    const sorted = queryOf(ctx, 'sortOrder') === 'asc' ? chats.toReversed() : chats;
    ctx.body = sorted
      .slice(offset, offset + limit)
      .map(({ id, name, last }) => ({ id, name, conversationTimestamp: last?.timestamp }));
  });

  router.get('/api/:session/chats/overview', async (ctx) => {
    const session = await working(ctx);
    const { limit, offset } = page(ctx, 20);
    const ids = ctx.query['ids'] ?? [];
    ctx.body = overview(session, Array.isArray(ids) ? ids : [ids], limit, offset);
  });

  router.post('/api/:session/chats/overview', async (ctx) => {
    const session = await working(ctx);
    const body = Overview.safeParse(ctx.state.body);
    if (!body.success) throw new EngineFailure("Cannot read properties of undefined (reading 'limit')");
    const { pagination, filter } = body.data;
    ctx.status = 201;
    ctx.body = overview(session, filter?.ids ?? [], pagination.limit ?? 20, pagination.offset ?? 0);
  });

  router.post('/api/:session/chats/:chatId/messages/read', async (ctx) => {
    const session = await working(ctx);
    ctx.status = 201;
    ctx.body = { ids: readChat(core, session, toChatId(paramOf(ctx, 'chatId'))) };
  });

  router.get('/api/:session/chats/:chatId/picture', async (ctx) => {
    await working(ctx);
    ctx.body = { url: null };
  });

  return router;
}
