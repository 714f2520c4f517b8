import { z } from 'zod';
import { recordChange } from '../../db/audit.ts';
import { deleteCannedAnswer, listCannedAnswers, setCannedAnswer } from '../../db/tenants/canned-answers.ts';
import { invalid, notFound } from '../../domain/error.ts';
import { Target } from '../../domain/scope.ts';
import { CannedAnswer, MAX_CANNED_ANSWERS, SetCannedAnswer, Shortcut } from '../../domain/tenants/canned-answer.ts';
import { defineRoute } from '../deps.ts';
import { NoContent } from '../wire/answer.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

const Cursor = cursorOf<string>({ read: (text) => Shortcut.safeParse(text).data, write: (shortcut) => shortcut });
const params = z.object({ shortcut: Shortcut });

export const cannedAnswerRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/canned-answers',
    auth: 'tenant',
    scope: 'read',
    operationId: 'cannedAnswers.list',
    summary: "List a tenant's canned answers",
    query: z.object({ ...Target, limit: Limit, cursor: nextPage(Cursor) }),
    reply: z.object({
      cannedAnswers: z.array(CannedAnswer).meta({ description: 'The canned answers of this page, by shortcut.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ scope, query: { limit, cursor = null } }, { database }) {
      const found = await database.read((queries) =>
        listCannedAnswers(queries, scope, { after: cursor, limit: limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, limit, ({ shortcut }) => Cursor.encode(shortcut));
      return {
        cannedAnswers: rows.map(({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() })),
        ...page,
      };
    },
  }),

  defineRoute({
    method: 'PUT',
    path: '/api/v1/canned-answers/:shortcut',
    auth: 'tenant',
    // A session's key acts for one account, and all accounts of the tenant use the text.
    dashboardOnly: true,
    scope: 'send',
    operationId: 'cannedAnswers.set',
    summary: 'Set a canned answer',
    description: `Creates or replaces the text of a shortcut. A tenant has at most ${MAX_CANNED_ANSWERS} of them.`,
    params,
    body: SetCannedAnswer,
    reply: CannedAnswer,
    async handle({ scope, params: { shortcut }, body: { text }, caller }, { database }) {
      return database.transaction(async (tx) => {
        const set = await setCannedAnswer(tx, scope, { shortcut, text });
        if (set === null) {
          const message = `is new, and the tenant has ${MAX_CANNED_ANSWERS} canned answers`;
          throw invalid({ pointer: 'path/shortcut', message }, 'Delete a canned answer first.');
        }
        const action = set.isNew ? 'created' : 'changed';
        await recordChange(tx, { of: scope, object: 'canned_answer', objectId: shortcut, action }, caller);
        return { shortcut, text: set.text, updatedAt: set.updatedAt.toISOString() };
      });
    },
  }),

  defineRoute({
    method: 'DELETE',
    path: '/api/v1/canned-answers/:shortcut',
    auth: 'tenant',
    dashboardOnly: true,
    scope: 'send',
    operationId: 'cannedAnswers.delete',
    summary: 'Delete a canned answer',
    params,
    query: z.object(Target),
    status: 204,
    reply: NoContent,
    errors: ['not_found'],
    async handle({ scope, params: { shortcut }, caller }, { database }) {
      await database.transaction(async (tx) => {
        if (!(await deleteCannedAnswer(tx, scope, shortcut))) throw notFound('canned answer');
        await recordChange(tx, { of: scope, object: 'canned_answer', objectId: shortcut, action: 'deleted' }, caller);
      });
      return undefined;
    },
  }),
];
