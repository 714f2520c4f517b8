import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { endLoginOf, listLogins } from '../../db/tenants/console-login-list.ts';
import { ConsoleLoginView } from '../../domain/console/login.ts';
import { notFound } from '../../domain/error.ts';
import { ConsoleLoginId, KeyId } from '../../domain/ids.ts';
import { defineRoute } from '../deps.ts';
import { credentialsSeenBy } from '../route/maker-seen.ts';
import { mayChangeNoKeys } from '../tenants/api-keys.ts';
import { NoContent } from '../wire/answer.ts';
import { NewestCursor } from '../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

export const consoleLoginRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/console/logins',
    auth: 'client',
    scope: null,
    operationId: 'consoleLogins.list',
    summary: 'List console logins',
    description:
      "Returns active logins, newest first. A dashboard's key with the scope `keys` sees the agency's " +
      'logins; any other key sees its own.\n\nIf the request names a tenant, only logins that show this ' +
      'tenant are listed.',
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
    async handle({ caller, query: { keyId = null, limit, cursor: after = null } }, { database }) {
      const asked = { keyId, after, limit: limit + 1 };
      const found = await database.read((queries) => listLogins(queries, credentialsSeenBy(caller), asked));
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
    auth: 'client',
    scope: null,
    operationId: 'consoleLogins.end',
    summary: 'End a console login',
    description:
      'Logs the person out within a second. Everything the login made ends too: links, uploads, streams ' +
      'and keys.\n\nThis also holds if the person has logged out meanwhile. The key or the link of the login ' +
      'stays. A key of the dashboard with the scope `keys` ends any login of the agency; every other key ' +
      'and login ends its own. A key that was replaced ends no login that created keys.',
    params: z.object({ id: ConsoleLoginId }),
    status: 204,
    reply: NoContent,
    errors: ['not_found', 'forbidden'],
    async handle({ caller, params: { id } }, { database }) {
      const seen = credentialsSeenBy(caller);
      const isEnded = await database.transaction(async (tx) => {
        const ended = await endLoginOf(tx, seen, id, caller);
        if (ended === 'unknown') return false;
        if (ended === 'forbidden') throw mayChangeNoKeys();
        const of = { agencyId: seen.agencyId, tenantId: ended.tenantId };
        await recordChange(tx, { of, object: 'console_login', objectId: id, action: 'revoked' }, caller);
        return true;
      });
      if (!isEnded) throw notFound('login');
      return undefined;
    },
  }),
];
