import { createHash } from 'node:crypto';
import { z } from 'zod';
import { newRouter } from '../http/context.ts';
import { parse } from '../http/parse.ts';
import { accountOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';

const Name = z.object({ name: z.string('name must be a string').min(1, 'name should not be empty') });
const Picture = z.object({
  file: z.looseObject({ mimetype: z.string(), url: z.string().optional(), data: z.string().optional() }),
});
const About = z.object({ status: z.string('status must be a string') });

export function profileRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/profile', async (ctx) => {
    const { id, pushName, picture } = accountOf(await sessions.working(ctx, 'path'));
    ctx.body = { id, name: pushName, picture };
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

  router.put('/api/:session/profile/picture', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { data, url } = parse(Picture, ctx.state.body).file;
    const digest = createHash('sha256')
      .update(data ?? url ?? '')
      .digest('hex')
      .slice(0, 24);
    const picture = `https://pps.whatsapp.invalid/v/${digest}.jpg`;
    core.world.record({ kind: 'profile.changed', session: session.name, picture });
    ctx.body = { success: true };
  });

  router.delete('/api/:session/profile/picture', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    core.world.record({ kind: 'profile.changed', session: session.name, picture: null });
    ctx.body = { success: true };
  });

  return router;
}
