import { newRouter, paramOf } from '../http/context.ts';
import { EngineFailure, notFound } from '../http/failures.ts';
import { page } from '../http/page.ts';
import { accountOf, engineOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';
import { groupView } from '../shapes/group.ts';
import type { Session } from '../state/session.ts';

export function groupRoutes({ core, sessions }: Parts) {
  const router = newRouter();
  /** Sessions whose groups were fetched from the network; a session's first list waits for that fetch. */
  const fetched = new WeakSet<Session>();
  const view = (session: Session, id: string) => {
    const { groups } = accountOf(session);
    if (groups.has(id)) return groupView(accountOf(session), id);
    if (engineOf(core, session) === 'NOWEB') throw new EngineFailure(`Group with id '${id}' not found`);
    throw notFound('Group not found');
  };

  router.get('/api/:session/groups', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    if (!fetched.has(session)) await core.timers.sleep(core.settings.groupsDelayMs);
    fetched.add(session);
    const account = accountOf(session);
    const { limit, offset } = page(ctx, Number.MAX_SAFE_INTEGER);
    const listed = [...account.groups.keys()].slice(offset, offset + limit).map((id) => groupView(account, id));
    // NOWEB answers a map here, which its documentation explains by backward compatibility.
    const isMap = engineOf(core, session) === 'NOWEB';
    ctx.body = isMap ? Object.fromEntries(listed.map((group) => [group.id, group])) : listed;
  });

  router.get('/api/:session/groups/count', async (ctx) => {
    ctx.body = { count: accountOf(await sessions.working(ctx, 'path')).groups.size };
  });

  router.post('/api/:session/groups/refresh', async (ctx) => {
    await sessions.working(ctx, 'path');
    ctx.body = { success: true };
  });

  router.get('/api/:session/groups/:id', async (ctx) => {
    ctx.body = view(await sessions.working(ctx, 'path'), paramOf(ctx, 'id'));
  });

  router.get('/api/:session/groups/:id/participants/v2', async (ctx) => {
    ctx.body = view(await sessions.working(ctx, 'path'), paramOf(ctx, 'id')).participants;
  });

  return router;
}
