import { newRouter, paramOf } from '../http/context.ts';
import { notFound } from '../http/failures.ts';
import { page } from '../http/page.ts';
import { accountOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../state/session.ts';

export function groupRoutes({ sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/groups', async (ctx) => {
    const account = accountOf(await sessions.working(ctx, 'path'));
    const { limit, offset } = page(ctx, Number.MAX_SAFE_INTEGER);
    ctx.body = [...account.groups.keys()].slice(offset, offset + limit).map((id) => groupView(account, id));
  });

  router.get('/api/:session/groups/count', async (ctx) => {
    ctx.body = { count: accountOf(await sessions.working(ctx, 'path')).groups.size };
  });

  router.post('/api/:session/groups/refresh', async (ctx) => {
    await sessions.working(ctx, 'path');
    ctx.body = { success: true };
  });

  router.get('/api/:session/groups/:id', async (ctx) => {
    ctx.body = groupView(accountOf(await sessions.working(ctx, 'path')), paramOf(ctx, 'id'));
  });

  router.get('/api/:session/groups/:id/participants/v2', async (ctx) => {
    ctx.body = groupView(accountOf(await sessions.working(ctx, 'path')), paramOf(ctx, 'id')).participants;
  });

  return router;
}

function groupView(account: Account, id: string) {
  const members = account.groups.get(id);
  if (!members) throw notFound('Group not found');
  return {
    id,
    subject: account.chats.get(id)?.name,
    participants: [account.id, ...members].map((member) => ({
      id: member,
      pn: account.aliases.get(member),
      role: member === account.id ? 'admin' : 'participant',
    })),
  };
}
