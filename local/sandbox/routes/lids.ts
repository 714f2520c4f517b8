import { isLid, toChatId } from '../chat-id.ts';
import { newRouter, paramOf } from '../http/context.ts';
import { page } from '../http/page.ts';
import { accountOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';
import type { Account } from '../state/session.ts';

export function lidRoutes({ sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/lids', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { limit, offset } = page(ctx, 100);
    ctx.body = pairs(accountOf(session)).slice(offset, offset + limit);
  });

  router.get('/api/:session/lids/count', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    ctx.body = { count: pairs(accountOf(session)).length };
  });

  router.get('/api/:session/lids/pn/:phone', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const pn = toChatId(paramOf(ctx, 'phone'));
    const lid = accountOf(session).aliases.get(pn) ?? null;
    // An unknown phone is answered with 200 and null.
    ctx.body = { lid, pn };
  });

  router.get('/api/:session/lids/:lid', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const given = paramOf(ctx, 'lid');
    const lid = isLid(given) ? given : `${given}@lid`;
    ctx.body = { lid, pn: accountOf(session).aliases.get(lid) ?? null };
  });

  return router;
}

function pairs(account: Account): { lid: string; pn: string }[] {
  return [...account.aliases].filter(([from]) => isLid(from)).map(([lid, pn]) => ({ lid, pn }));
}
