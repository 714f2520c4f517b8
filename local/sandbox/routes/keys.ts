import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { newRouter, paramOf } from '../http/context.ts';
import { notFound, unprocessable } from '../http/failures.ts';
import { parse } from '../http/parse.ts';
import { ulid } from '../ids.ts';
import type { Parts } from '../parts.ts';
import { Actions } from '../state/api-key.ts';
import type { ApiKey } from '../state/api-key.ts';

const KeyRequest = z.object({
  isAdmin: z.boolean(),
  session: z.string().nullable(),
  isActive: z.boolean(),
  actions: Actions.nullish().transform((actions) => actions ?? null),
});
const OfSession = z.object({ session: z.string().min(1) });

const NOTHING: Actions = { read: false, send: false, control: false, setting: false, app: false, delete: false };
/** The keys that the backend makes once for each session, and what they may do. */
const SCOPED = { media: { ...NOTHING, read: true }, control: { ...NOTHING, control: true } };

/** The backend's own keys: only the administrator's makes, lists and deletes them. */
export function keyRoutes({ core: { world } }: Parts) {
  const router = newRouter();

  function save(key: ApiKey): ApiKey {
    world.record({ kind: 'key.saved', key });
    return key;
  }

  function known(id: string): ApiKey {
    const key = world.keys.get(id);
    if (!key) throw notFound('API key not found');
    return key;
  }

  router.get('/api/keys', (ctx) => {
    ctx.body = [...world.keys.values()];
  });

  router.post('/api/keys', (ctx) => {
    ctx.status = 201;
    ctx.body = save({ ...newKey(), ...requested(ctx.state.body) });
  });

  for (const [name, actions] of Object.entries(SCOPED)) {
    router.post(`/api/keys/${name}`, (ctx) => {
      const { session } = parse(OfSession, ctx.state.body);
      const wanted = JSON.stringify(actions);
      const made = world.keys.values().find((key) => key.session === session && JSON.stringify(key.actions) === wanted);
      ctx.status = 201;
      ctx.body = made ?? save({ ...newKey(), isActive: true, isAdmin: false, session, actions });
    });
  }

  router.put('/api/keys/:id', (ctx) => {
    ctx.body = save({ ...known(paramOf(ctx, 'id')), ...requested(ctx.state.body) });
  });

  router.delete('/api/keys/:id', (ctx) => {
    const { id } = known(paramOf(ctx, 'id'));
    world.record({ kind: 'key.deleted', id });
    ctx.body = { result: true };
  });

  return router;
}

function newKey(): Pick<ApiKey, 'id' | 'key'> {
  return { id: `key_id_${ulid(Date.now()).toLowerCase()}`, key: `key_${randomBytes(24).toString('base64url')}` };
}

function requested(body: unknown): Omit<ApiKey, 'id' | 'key'> {
  const wanted = parse(KeyRequest, body);
  if (!wanted.isAdmin && wanted.session === null) throw unprocessable('Session is required for a key of a session.');
  return wanted;
}
