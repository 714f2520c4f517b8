import { z } from 'zod';
import { countParkedEvents } from '../../db/network/backend-event.ts';
import { isRowNumber } from '../../db/webhooks/delivery-list.ts';
import { listParkedEvents } from '../../db/network/parked-event.ts';
import type { Database } from '../../db/engine/database.ts';
import type { ParkedEvent } from '../../db/network/parked-event.ts';
import { notFound } from '../../domain/error.ts';
import { PARKED_EVENT_STATUSES, ParkedEventView } from '../../domain/network/parked-event.ts';
import { defineRoute } from '../deps.ts';
import type { ApiDeps } from '../deps.ts';
import { cursorOf, HasMore, Limit, NextCursor, nextPage, pageOf } from '../wire/page.ts';

const Cursor = cursorOf<string>({ read: (text) => (isRowNumber(text) ? text : undefined), write: (id) => id });

function toView({ receivedAt, parkedAt, endedAt, ...same }: ParkedEvent): ParkedEventView {
  return {
    ...same,
    receivedAt: receivedAt.toISOString(),
    parkedAt: parkedAt.toISOString(),
    endedAt: endedAt === null ? null : endedAt.toISOString(),
  };
}

const LIST_TEXT =
  'Returns parked events, oldest first. An event is parked if it cannot be read, fails for a day, or ' +
  'waits for seven days.\n\nIt stays until it is applied; events that are done are listed for 90 days.';
const APPLY_TEXT =
  'Applies the event as if it had just arrived. Returns its new state: `parked` again, with its ' +
  '`error`, if it fails.\n\nKnown changes change nothing. An old message is reported, but the agent does ' +
  'not answer it. Safe to repeat.';

const ListQuery = z.object({
  status: z.enum(PARKED_EVENT_STATUSES).optional().meta({ description: 'Only events in this state.' }),
  sessionName: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only events of the session with this name at the backend.' }),
  limit: Limit,
  cursor: nextPage(Cursor),
});
const ListReply = z.object({
  events: z.array(ParkedEventView).meta({ description: 'The events of this page.' }),
  parked: z.int().meta({ description: 'How many events wait for an operator, across all sessions.' }),
  hasMore: HasMore,
  nextCursor: NextCursor,
});
const Path = z.object({
  id: z
    .string()
    .refine(isRowNumber, 'is not the id of a parked event')
    .meta({ description: 'The number of the event, as its list shows it.', examples: ['4711'] }),
});

async function list(
  { status, sessionName, limit, cursor }: z.output<typeof ListQuery>,
  { database }: { database: Database },
): Promise<z.input<typeof ListReply>> {
  return database.read(async (queries) => {
    const filter = { status: status ?? null, sessionName: sessionName ?? null };
    const found = await listParkedEvents(queries, filter, { after: cursor ?? null, limit: limit + 1 });
    const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
    const { parked } = await countParkedEvents(queries);
    return { events: rows.map(toView), parked, ...page };
  });
}

async function apply(
  { id }: z.output<typeof Path>,
  { applyParkedEvent }: Pick<ApiDeps, 'applyParkedEvent'>,
): Promise<ParkedEventView> {
  const event = await applyParkedEvent(id);
  if (!event) throw notFound('parked event');
  return toView(event);
}

/** For programs of the operator by the PSK, and for the operator at the console by the master key. */
export const parkedEventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/internal/backend/parked-events',
    auth: 'psk',
    operationId: 'parkedEvents.list',
    summary: 'List parked events of the backend',
    description: LIST_TEXT,
    query: ListQuery,
    reply: ListReply,
    handle: ({ query }, deps) => list(query, deps),
  }),

  defineRoute({
    method: 'POST',
    path: '/v1/internal/backend/parked-events/:id/apply',
    auth: 'psk',
    operationId: 'parkedEvents.apply',
    summary: 'Apply a parked event of the backend',
    description: APPLY_TEXT,
    params: Path,
    reply: ParkedEventView,
    errors: ['not_found'],
    handle: ({ params }, deps) => apply(params, deps),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/parked-events',
    auth: 'master',
    operationId: 'adminParkedEvents.list',
    summary: 'List parked events of the backend',
    description: LIST_TEXT,
    query: ListQuery,
    reply: ListReply,
    handle: ({ query }, deps) => list(query, deps),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/admin/parked-events/:id/apply',
    auth: 'master',
    operationId: 'adminParkedEvents.apply',
    summary: 'Apply a parked event of the backend',
    description: APPLY_TEXT,
    params: Path,
    reply: ParkedEventView,
    errors: ['not_found'],
    handle: ({ params }, deps) => apply(params, deps),
  }),
];
