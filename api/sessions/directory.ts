import { z } from 'zod';
import { listSessions, makeDefault } from '../../db/sessions/session.ts';
import { recordChange } from '../../db/tenants/audit.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { ChangeSession, SESSION_STATES, SessionStatus } from '../../domain/session.ts';
import { defineRoute } from '../deps.ts';
import { ArrayLimit, arrayPage, cursorOf, nextPage, pageOf } from '../wire/page.ts';
import { requireSession } from './session-in-scope.ts';
import { SessionPath } from './session-path.ts';
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
  .regex(/^[A-Za-z_]{1,40}(,[A-Za-z_]{1,40}){0,9}$/, 'must be one to ten statuses with commas between them')
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
    summary: 'List the sessions',
    description:
      "Of the whole agency with a dashboard's key that names no tenant, of one tenant with `tenantId`; a session's key lists " +
      'its own. The oldest first. The answer is the array itself; `X-Next-Cursor` and `Link` lead to the next page.',
    query: z.object({ status: Statuses, limit: ArrayLimit, cursor: nextPage(SessionCursor) }),
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
    scope: 'sessions',
    operationId: 'sessions.update',
    summary: "Make a session the tenant's default",
    description:
      'Requests that name no session use it from then on; the one before stays connected. What was accepted before keeps its ' +
      "session. Takes the dashboard's key. Repeating it changes nothing.",
    params: SessionPath,
    body: ChangeSession,
    reply: SessionStatus,
    errors: ['not_found', 'forbidden'],
    async handle({ scope, params, caller }, { database }) {
      return database.transaction(async (tx) => {
        const session = await requireSession(tx, scope, params.id);
        // Which session is the default holds for the other sessions of the tenant, too.
        if (scope.sessionId !== null) throw new EngineError('forbidden', "This takes the dashboard's key.");
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
