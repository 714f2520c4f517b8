import { z } from 'zod';
import { newRouter } from '../http/context.ts';
import { parse } from '../http/parse.ts';
import { accountOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';
import { placeholder } from '../placeholder.ts';
import { PICTURE } from './contacts.ts';

const Name = z.object({ name: z.string('name must be a string').min(1, 'name should not be empty') });
const Picture = z.object({
  file: z.looseObject({ mimetype: z.string(), url: z.string().optional(), data: z.string().optional() }),
});
const About = z.object({ status: z.string('status must be a string') });

export function profileRoutes({ core, sessions }: Parts) {
  const router = newRouter();

  router.get('/api/:session/profile', async (ctx) => {
    const session = await sessions.working(ctx, 'path');
    const { id, pushName, picture } = accountOf(session);
    // The network's own hosts are not played, so the picture is a file of the backend.
    const address = `${core.url}/api/files/${session.name}/${PICTURE}${id}.png`;
    ctx.body = { id, name: pushName, picture: picture === null ? null : address };
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
    const { data } = parse(Picture, ctx.state.body).file;
    // An address is not fetched.
    const picture = data ?? placeholder('image/png').toString('base64');
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
