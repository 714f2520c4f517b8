import { z } from 'zod';
import { keyOf } from '../http/api-key.ts';
import { newRouter, paramOf } from '../http/context.ts';
import { notFound, unprocessable } from '../http/failures.ts';
import { parse } from '../http/parse.ts';
import { ulid } from '../ids.ts';
import { engineOf } from '../network/core.ts';
import type { Parts } from '../parts.ts';
import { meOf } from '../shapes/me.ts';
import { sessionDetail, sessionInfo } from '../shapes/session-info.ts';
import type { Session } from '../state/session.ts';
import { SessionConfig } from '../state/session-settings.ts';

/** The real backend derives the name of a database from the session's name, and that may have 64 characters. */
const MAX_NAME_LENGTH = 54;
const Name = z
  .string()
  .max(MAX_NAME_LENGTH, `name must be shorter than or equal to ${MAX_NAME_LENGTH} characters`)
  .regex(/^[A-Za-z0-9_-]+$/, 'Session name can only contain alphanumeric characters, hyphens, and underscores');
const Create = z.object({
  name: Name.nullish(),
  start: z.boolean().nullish(),
  config: SessionConfig.nullish(),
});
const Update = z.object({ config: SessionConfig.nullish() });

export function sessionRoutes({ core, sessions, lifecycle }: Parts) {
  const router = newRouter();
  const detail = (session: Session) => sessionDetail(session, engineOf(core, session));

  router.get('/api/sessions', (ctx) => {
    const all = ctx.query['all'] === 'true';
    const key = keyOf(ctx);
    const shown = [...core.world.sessions.values()]
      .filter(({ status }) => all || status !== 'STOPPED')
      .filter(({ name }) => key === undefined || key.isAdmin || key.session === name);
    ctx.body = shown.map(sessionInfo);
  });

  router.post('/api/sessions', (ctx) => {
    const { name = `session_${ulid(Date.now()).toLowerCase()}`, start, config } = withoutNulls(ctx.state.body);
    if (core.world.sessions.has(name)) {
      throw unprocessable(`Session '${name}' already exists. Use PUT to update it.`);
    }
    const session = lifecycle.save(name, config ?? {});
    if (start ?? true) lifecycle.start(session);
    ctx.status = 201;
    ctx.body = sessionInfo(session);
  });

  router.get('/api/sessions/:session', (ctx) => {
    ctx.body = detail(sessions.known(paramOf(ctx, 'session')));
  });

  router.put('/api/sessions/:session', (ctx) => {
    const { config } = parse(Update, ctx.state.body);
    const known = sessions.known(paramOf(ctx, 'session'));
    const ran = known.status !== 'STOPPED';
    const session = lifecycle.save(known.name, config ?? {});
    if (ran) lifecycle.restart(session);
    ctx.body = sessionInfo(session);
  });

  router.delete('/api/sessions/:session', (ctx) => {
    const session = core.world.sessions.get(paramOf(ctx, 'session'));
    if (session) lifecycle.remove(session);
    // A repeated delete is answered with 200 and an empty body, too.
    ctx.status = 200;
    ctx.body = '';
  });

  for (const act of ['start', 'stop', 'restart', 'logout'] as const) {
    router.post(`/api/sessions/:session/${act}`, (ctx) => {
      const session = sessions.known(paramOf(ctx, 'session'));
      lifecycle[act](session);
      ctx.status = 201;
      ctx.body = detail(session);
    });
  }

  router.get('/api/sessions/:session/me', (ctx) => {
    const name = paramOf(ctx, 'session');
    const session = sessions.known(name);
    if (session.status === 'STOPPED') {
      throw notFound(
        `We didn't find a session with name '${name}'.\n` +
          `Please start it first by using POST /api/sessions/${name}/start request`,
      );
    }
    ctx.status = 200;
    ctx.body = meOf(session) ?? '';
  });

  return router;
}

function withoutNulls(body: unknown) {
  const { name, start, config } = parse(Create, body);
  return { name: name ?? undefined, start: start ?? undefined, config: config ?? undefined };
}
