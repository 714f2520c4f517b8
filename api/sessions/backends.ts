import { z } from 'zod';
import type { SessionPlace } from '../../backend/backends.ts';
import { moveSession } from '../../db/network/move-session.ts';
import { listBackendStates } from '../../db/sessions/backend-state.ts';
import { lockSession } from '../../db/sessions/session.ts';
import { recordChange } from '../../db/tenants/audit.ts';
import { BackendView, MoveSession } from '../../domain/backend-view.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { SessionStatus } from '../../domain/session.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { requireBackend } from './place.ts';
import { SessionPath } from './session-path.ts';
import { toSessionStatus } from './session-status.ts';

export const backendRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/backends',
    auth: 'master',
    operationId: 'adminBackends.list',
    summary: 'List the messaging backends',
    description:
      'By their ids: how they are, and what they hold. Those that are not configured are listed while they hold sessions.',
    reply: z.object({ backends: z.array(BackendView).meta({ description: 'All of them.' }) }),
    async handle(_input, { database, backends: { servers } }) {
      const ids = servers.map(({ id }) => id);
      const states = await database.read((queries) => listBackendStates(queries, ids));
      return {
        backends: states.map(({ id, isKnown, sessions, working, downSince, trouble }) => {
          const { weight = null, engine = null } = servers.find((server) => server.id === id) ?? {};
          const how = { downSince: isoOrNull(downSince), trouble };
          return { id, isConfigured: isKnown, weight, engine, sessions, sessionsWorking: working, ...how };
        }),
      };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/admin/sessions/:id/move',
    auth: 'master',
    operationId: 'adminBackends.moveSession',
    summary: 'Move a session to another backend',
    description:
      'The session is made at the other backend, under its name and with its id here; what it said and received stays. Unless ' +
      'the backends share their store, **its account must be linked again** by a QR code; its messages wait until then. A send ' +
      'whose outcome is not known yet ends as `uncertain`, because the other backend cannot tell of it. The session at the ' +
      'former backend is stopped, if that answers, and not deleted. Repeating it changes nothing.',
    params: SessionPath,
    body: MoveSession,
    reply: SessionStatus,
    errors: ['not_found'],
    async handle({ params, body: { backend, ...by }, caller }, { database, backends }) {
      requireBackend(backend, backends);
      const { from, session } = await database.transaction(async (tx) => {
        const found = await lockSession(tx, params.id);
        if (!found || found.wish === 'deleted') throw notFound('session');
        if (found.backend === backend) return { from: null, session: found };
        await moveSession(tx, found, backend);
        const detail = { from: found.backend, to: backend };
        const change = { of: found, object: 'session', objectId: found.id, action: 'moved', detail } as const;
        await recordChange(tx, change, { ...caller, ...by });
        const { id, name } = found;
        return { from: { id, name, backend: found.backend }, session: await lockSession(tx, id) };
      });
      if (!session) throw notFound('session');
      if (from) await stopAt(from, backends);
      return toSessionStatus(session);
    },
  }),
];

/**
 * Stops the session at its former backend, so that the account is not linked twice. It is stopped there by hand where the
 * backend does not answer or is not configured any more.
 */
async function stopAt(from: SessionPlace & { id: string }, backends: ApiDeps['backends']): Promise<void> {
  try {
    const backend = backends.of(from);
    // What another program has under the session's name is not ours to touch.
    if ((await backend.getSession(from.name))?.sessionId === from.id) await backend.stopSession(from.name);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}
