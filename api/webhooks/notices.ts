import { z } from 'zod';
import { listNotices } from '../../db/webhooks/notices.ts';
import type { Database } from '../../db/engine/database.ts';
import { ExternalId } from '../../domain/scope.ts';
import { NoticeView } from '../../domain/webhooks/record.ts';
import { defineRoute } from '../deps.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { toNoticeView } from './view.ts';
import { EndpointId } from '../../domain/ids.ts';

const Cursor = cursorOf<string>({ read: (text) => (text.startsWith('ntc_') ? text : undefined), write: (id) => id });

const query = z.object({
  endpointId: EndpointId.optional().meta({ description: 'Only those about this endpoint.' }),
  limit: Limit,
  cursor: nextPage(Cursor),
});
const reply = z.object({
  notices: z.array(NoticeView).meta({ description: 'The notices on this page.' }),
  hasMore: HasMore,
  nextCursor: NextCursor,
});

export const webhookNoticeRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/notices',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookNotices.list',
    summary: "List notices about an agency's webhook endpoints",
    description:
      "Returns notices, newest first, even if no endpoint received them. The agency's other endpoints " +
      'receive the same events.\n\nEndpoints must subscribe to these events.',
    query,
    reply,
    handle: ({ caller, query: asked }, { database }) => notices(database, caller.agencyId, asked),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/notices',
    auth: 'master',
    operationId: 'webhookNotices.listAll',
    summary: "List notices about all agencies' webhook endpoints",
    description: 'Returns the newest first, for one agency or for all.',
    query: query.extend({ agencyId: ExternalId.optional().meta({ description: 'Only those of this agency.' }) }),
    reply,
    handle: ({ query: { agencyId = null, ...asked } }, { database }) => notices(database, agencyId, asked),
  }),
];

async function notices(database: Database, agencyId: string | null, asked: z.output<typeof query>) {
  const { endpointId = null, cursor: before = null, limit } = asked;
  const found = await database.read((queries) =>
    listNotices(queries, { agencyId, endpointId, before, limit: limit + 1 }),
  );
  const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
  return { notices: rows.map(toNoticeView), ...page };
}
