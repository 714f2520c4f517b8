import { z } from 'zod';
import { listSessions, makeDefault } from '../../db/sessions/session.ts';
import { recordChange } from '../../db/audit.ts';
import { notFound } from '../../domain/error.ts';
import { ChangeSession, SESSION_STATES, SessionStatus } from '../../domain/sessions/session.ts';
import { defineRoute } from '../deps.ts';
import { ArrayLimit, arrayPage, cursorOf, nextPage, pageOf } from '../wire/page.ts';
import { requireSession } from './session-in-scope.ts';
import { ListOfBackend, SessionPath } from './session-path.ts';
import { toSessionStatus } from './session-status.ts';

const PATH = '/api/v1/sessions';
/** The cursor of lists of sessions: the id of the last one. */
export const SessionCursor = cursorOf<string>({
  read: (text) => (text.startsWith('ses_') ? text : undefined),
  write: (id) => id,
});

/** A backend may have statuses that the engine does not know, so any word of that form is looked for. */
const Statuses = z
  .string()
  .regex(/^[A-Za-z_]{1,40}(,[A-Za-z_]{1,40}){0,9}$/, 'must be one to ten statuses, separated by commas')
  .transform((text) => text.toUpperCase().split(','))
  .optional()
  .meta({ description: `Only sessions with this status, or with one of several: ${SESSION_STATES.join(', ')}.` });

export const sessionDirectoryRoutes = [
  defineRoute({
    method: 'GET',
    path: PATH,
    auth: 'client',
    scope: 'read',
    operationId: 'sessions.list',
    summary: 'List sessions',
    description:
      "Returns sessions, oldest first. A dashboard's key sees its agency or one tenant; a session's key " +
      'sees its own.\n\nThe response is the array itself; `X-Next-Cursor` and `Link` lead to the next page.',
    query: ListOfBackend.extend({ status: Statuses, limit: ArrayLimit, cursor: nextPage(SessionCursor) }),
    reply: z.array(SessionStatus),
    async handle({ caller: { reach }, query: { status: statuses, limit, cursor = null } }, { database }) {
      const found = await database.read((queries) =>
        listSessions(queries, { ...reach, statuses }, { after: cursor, limit: limit + 1 }),
      );
      const { rows, nextCursor } = pageOf(found, limit, ({ id }) => SessionCursor.encode(id));
      const { agencyId, tenantId } = reach;
      const asked = { agencyId, tenantId, status: statuses?.join(','), limit };
      return arrayPage({ rows: rows.map(toSessionStatus), nextCursor }, { path: PATH, asked });
    },
  }),

  defineRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'sessions',
    operationId: 'sessions.update',
    summary: "Make a session the tenant's default",
    description:
      'Makes the session the one that requests use from then on if they name no session; the previous ' +
      'default stays connected. Accepted messages keep their session.\n\nRepeating it changes nothing.',
    params: SessionPath,
    body: ChangeSession,
    reply: SessionStatus,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, params, caller }, { database }) {
      return database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        if (!session.isDefault) {
          if (!(await makeDefault(tx, scope, session.id))) throw notFound('session');
          const change = { of: scope, object: 'session', objectId: session.id, action: 'changed' } as const;
          await recordChange(tx, { ...change, detail: { fields: ['default'] } }, caller);
        }
        return { ...toSessionStatus(session), default: true };
      });
    },
  }),
];
