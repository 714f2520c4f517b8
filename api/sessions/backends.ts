import { z } from 'zod';
import { stopElsewhere } from '../../adapters/backend/stop-elsewhere.ts';
import { moveToBackend } from '../../db/operations/move-to-backend.ts';
import { listBackendStates } from '../../db/sessions/backend-state.ts';
import { BackendView, MoveSession } from '../../domain/backend-view.ts';
import { notFound } from '../../domain/error.ts';
import { SessionStatus } from '../../domain/sessions/session.ts';
import { defineRoute } from '../deps.ts';
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
      'Returns the messaging backends in the order of their ids, with their state and what they hold. Backends ' +
      'that are not configured are listed while they hold sessions.',
    reply: z.object({ backends: z.array(BackendView).meta({ description: 'All backends.' }) }),
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
      'Moves the session to another backend under the same name and id. **Link its account again** with a ' +
      'QR code, unless the backends share their store.\n\nIts messages wait until then; all data stays. A ' +
      'send whose outcome is not yet known ends as `uncertain`, because the other backend cannot report ' +
      'it. The session at the former backend is stopped, if that backend responds, and is not deleted. ' +
      "Repeating it changes nothing. The Update `move` of the session's execution does the same.",
    params: SessionPath,
    body: MoveSession,
    reply: SessionStatus,
    errors: ['not_found'],
    async handle({ params, body: { backend, ...by }, caller }, { database, backends }) {
      requireBackend(backend, backends);
      const moved = await database.transaction((tx) =>
        moveToBackend(tx, params.id, { backend, by: { ...caller, ...by } }),
      );
      if (moved === null) throw notFound('session');
      if (moved.hasMoved) await stopElsewhere(backends, moved.session);
      return toSessionStatus(moved.session);
    },
  }),
];
