import { newRouter, paramOf } from '../http/context.ts';
import { notFound } from '../http/failures.ts';
import { bareId } from '../ids.ts';
import type { Parts } from '../parts.ts';
import { placeholder } from '../placeholder.ts';

export function fileRoutes({ core }: Parts) {
  const router = newRouter();

  router.get('/api/files/:session/:name', (ctx) => {
    const name = paramOf(ctx, 'name');
    const account = core.world.sessions.get(paramOf(ctx, 'session'))?.account;
    // The name is the message's full id with an extension.
    const media = account?.messages.get(bareId(name.slice(0, name.lastIndexOf('.'))))?.media;
    if (media?.name !== name) throw notFound(`ENOENT: no such file or directory, stat '${name}'`);
    ctx.type = media.mimetype;
    ctx.body = media.data === undefined ? placeholder(media.mimetype) : Buffer.from(media.data, 'base64');
  });

  return router;
}
