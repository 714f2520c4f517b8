import { newRouter, paramOf } from '../http/context.ts';
import { notFound } from '../http/failures.ts';
import { bareId } from '../ids.ts';
import type { Parts } from '../parts.ts';
import { placeholder } from '../placeholder.ts';
import { PICTURE } from './contacts.ts';

/** The backend deletes files after this time, and all of them when it starts. */
const LIFETIME_MS = 180_000;

export function fileRoutes({ core }: Parts) {
  const router = newRouter();

  router.get('/api/files/:session/:name', (ctx) => {
    const name = paramOf(ctx, 'name');
    const account = core.world.sessions.get(paramOf(ctx, 'session'))?.account;
    const pictured = name.startsWith(PICTURE) ? name.slice(PICTURE.length, -'.png'.length) : '';
    const picture = pictured === account?.id ? account.picture : account?.contacts.get(pictured)?.picture;
    if (picture) {
      ctx.type = 'image/png';
      ctx.body = Buffer.from(picture, 'base64');
      return;
    }
    // The name is the message's full id with an extension.
    const media = account?.messages.get(bareId(name.slice(0, name.lastIndexOf('.'))))?.media;
    const isKept = core.clock.now() - (core.fetchedAt.get(name) ?? -Infinity) < LIFETIME_MS;
    if (media?.name !== name || !isKept) throw notFound(`ENOENT: no such file or directory, stat '${name}'`);
    ctx.type = media.mimetype;
    ctx.body = media.data === undefined ? placeholder(media.mimetype) : Buffer.from(media.data, 'base64');
  });

  return router;
}
