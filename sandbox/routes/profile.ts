import { z } from 'zod';
import { newRouter } from '../http/context.ts';
import { onlyInPlus } from '../http/failures.ts';
import { parse } from '../http/parse.ts';
import { accountOf, engineOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';

const Name = z.object({ name: z.string('name must be a string').min(1, 'name should not be empty') });
const About = z.object({ status: z.string('status must be a string') });

export function profileRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/profile', async (ctx) => {
    const { id, pushName } = accountOf(await sessions.working(ctx, 'path'));
    ctx.body = { id, name: pushName, picture: null };
  });

  router.put('/api/:session/profile/name', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { name } = parse(Name, ctx.state.body);
    core.world.record({ kind: 'profile.changed', session: session.name, name });
    ctx.body = { success: true };
  });

  router.put('/api/:session/profile/status', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { status: about } = parse(About, ctx.state.body);
    core.world.record({ kind: 'profile.changed', session: session.name, about });
    ctx.body = { success: true };
  });

  for (const method of ['put', 'delete'] as const) {
    router[method]('/api/:session/profile/picture', async (ctx) => {
      throw onlyInPlus(engineOf(core, await sessions.working(ctx, 'path')));
    });
  }

  return router;
}
