import { z } from 'zod';
import { recordChange } from '../../db/tenants/audit.ts';
import { endLoginOf, listLogins } from '../../db/tenants/console-login-list.ts';
import { ConsoleLoginView } from '../../domain/console/login.ts';
import { notFound } from '../../domain/error.ts';
import { ConsoleLoginId, KeyId } from '../../domain/ids.ts';
import { defineRoute } from '../deps.ts';
import { NoContent } from '../wire/answer.ts';
import { NewestCursor } from '../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

export const consoleLoginRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/console/logins',
    auth: 'agency',
    scope: 'keys',
    operationId: 'consoleLogins.list',
    summary: 'List console logins',
    description: 'Returns the newest first: logins by keys of the agency and by links of it that still work.',
    query: z.object({
      keyId: KeyId.optional().meta({ description: 'Only logins by this key, and by links that it created.' }),
      limit: Limit,
      cursor: nextPage(NewestCursor),
    }),
    reply: z.object({
      logins: z.array(ConsoleLoginView).meta({ description: 'The logins on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller: { agencyId }, query: { keyId = null, limit, cursor: after = null } }, { database }) {
      const found = await database.read((queries) => listLogins(queries, agencyId, { keyId, after, limit: limit + 1 }));
      const { rows, ...page } = pageOf(found, limit, (last) => NewestCursor.encode(last));
      const logins = rows.map(({ createdAt, expiresAt, ...login }) => ({
        ...login,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt.toISOString(),
      }));
      return { logins, ...page };
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/console/logins/:id',
    auth: 'agency',
    scope: 'keys',
    operationId: 'consoleLogins.end',
    summary: 'End a console login',
    description: 'The person is logged out within a second. Its key, or its link, stays as it is.',
    params: z.object({ id: ConsoleLoginId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ caller, params: { id } }, { database }) {
      const { agencyId } = caller;
      const isEnded = await database.transaction(async (tx) => {
        const ended = await endLoginOf(tx, { agencyId, id });
        if (ended === undefined) return false;
        const of = { agencyId, tenantId: ended.tenantId };
        await recordChange(tx, { of, object: 'console_login', objectId: id, action: 'revoked' }, caller);
        return true;
      });
      if (!isEnded) throw notFound('login');
      return undefined;
    },
  }),
];
