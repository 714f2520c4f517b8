import { z } from 'zod';
import { listParkedDispatches, retryParkedDispatch } from '../../db/operations/parked-dispatches.ts';
import type { ParkedDispatch } from '../../db/operations/parked-dispatches.ts';
import { isRowNumber } from '../../db/webhooks/delivery-list.ts';
import { notFound } from '../../domain/error.ts';
import { ParkedDispatchView } from '../../domain/operations/parked-dispatch.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { answer } from '../wire/answer.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { temporalUrl } from '../wire/temporal-url.ts';

const Cursor = cursorOf<string>({ read: (text) => (isRowNumber(text) ? text : undefined), write: String });

export const parkedDispatchRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/parked-dispatches',
    auth: 'master',
    operationId: 'adminParkedDispatches.list',
    summary: 'List work that Temporal refused permanently',
    description:
      'Returns the oldest first. The engine promises work to Temporal with database rows; work that is ' +
      'refused permanently is parked with its error.\n\nEvery five minutes, `reconcile` restarts unfinished ' +
      'work of its row. A parked dispatch is deleted after 90 days.',
    query: z.object({ limit: Limit, cursor: nextPage(Cursor) }),
    reply: z.object({
      dispatches: z.array(ParkedDispatchView).meta({ description: 'The parked dispatches on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ query: { limit, cursor = null } }, { database, temporalUi }) {
      const page = { after: cursor, limit: limit + 1 };
      const found = await database.read((queries) => listParkedDispatches(queries, page));
      const { rows, ...rest } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
      return { dispatches: rows.map((each) => toView(each, temporalUi)), ...rest };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/admin/parked-dispatches/:id/retry',
    auth: 'master',
    operationId: 'adminParkedDispatches.retry',
    summary: 'Retry work that Temporal refused',
    description:
      'Hands the work to Temporal at once; this changes nothing if it has been done in the meantime. If it is ' +
      'refused again, it is parked again, with the new error.',
    params: z.object({
      id: z
        .string()
        .refine(isRowNumber, 'is not the id of a parked dispatch')
        .meta({ description: "The dispatch's number, as the list shows it.", examples: ['4711'] }),
    }),
    status: 202,
    reply: ParkedDispatchView,
    errors: ['not_found'],
    async handle({ params: { id } }, { database, temporalUi }) {
      const found = await database.transaction((tx) => retryParkedDispatch(tx, id));
      if (!found) throw notFound('parked dispatch');
      return answer(202, toView(found, temporalUi));
    },
  }),
];

function toView(
  { createdAt, parkedAt, ...same }: ParkedDispatch,
  temporalUi: ApiDeps['temporalUi'],
): z.input<typeof ParkedDispatchView> {
  return {
    ...same,
    temporalUrl: temporalUrl(temporalUi, same.workflowId),
    createdAt: createdAt.toISOString(),
    parkedAt: isoOrNull(parkedAt),
  };
}
