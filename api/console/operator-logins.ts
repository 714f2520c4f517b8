import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { endOperatorLogin, listOperatorLogins } from '../../db/tenants/operator-login-list.ts';
import { OperatorLoginView } from '../../domain/console/login.ts';
import { notFound } from '../../domain/error.ts';
import { ConsoleLinkId, ConsoleLoginId } from '../../domain/ids.ts';
import { defineRoute } from '../deps.ts';
import { mayChangeNoKeys } from '../tenants/api-keys.ts';
import { NoContent } from '../wire/answer.ts';
import { NewestCursor } from '../wire/newest-cursor.ts';
import { HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

const EVERY_AGENCY = { agencyId: '*' };

export const operatorLoginRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/console/logins',
    auth: 'master',
    operationId: 'consoleLogins.listOfOperator',
    summary: "List the operator's console logins",
    description:
      'Returns the browsers that are logged in by the master key, and the tickets of `npm start` that nobody has ' +
      'opened, the newest first. Both see every agency.',
    query: z.object({ limit: Limit, cursor: nextPage(NewestCursor) }),
    reply: z.object({
      logins: z.array(OperatorLoginView).meta({ description: 'The logins and tickets on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ query: { limit, cursor: after = null } }, { database, consoleLinks: { masterKey } }) {
      const found = await database.read((queries) =>
        listOperatorLogins(queries, masterKey, { after, limit: limit + 1 }),
      );
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
    path: '/api/v1/admin/console/logins/:id',
    auth: 'master',
    operationId: 'consoleLogins.endOfOperator',
    summary: "End an operator's console login",
    description:
      'Logs the person out within a second; everything the login made ends too. A ticket that is not used ' +
      "yet becomes invalid.\n\nThe login's keys end even if the person has logged out meanwhile.",
    params: z.object({
      id: z
        .union([ConsoleLoginId, ConsoleLinkId])
        .meta({ description: 'The id of the login, or of the link of a ticket.' }),
    }),
    status: 204,
    reply: NoContent,
    errors: ['not_found', 'forbidden'],
    async handle({ caller, params: { id } }, { database }) {
      const isEnded = await database.transaction(async (tx) => {
        const outcome = await endOperatorLogin(tx, id, caller);
        if (outcome === 'unknown') return false;
        if (outcome === 'forbidden') throw mayChangeNoKeys();
        const object = id.startsWith('clk_') ? 'console_link' : 'console_login';
        await recordChange(tx, { of: EVERY_AGENCY, object, objectId: id, action: 'revoked' }, caller);
        return true;
      });
      if (!isEnded) throw notFound('login');
      return undefined;
    },
  }),
];
