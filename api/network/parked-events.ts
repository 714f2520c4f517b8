import { z } from 'zod';
import { countParkedEvents } from '../../db/network/backend-event.ts';
import { isRowNumber } from '../../db/webhooks/delivery-list.ts';
import { listParkedEvents } from '../../db/network/parked-event.ts';
import type { ParkedEvent } from '../../db/network/parked-event.ts';
import { notFound } from '../../domain/error.ts';
import { PARKED_EVENT_STATUSES, ParkedEventView } from '../../domain/network/parked-event.ts';
import { defineRoute } from '../deps.ts';
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

export const parkedEventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/internal/backend/parked-events',
    auth: 'psk',
    operationId: 'parkedEvents.list',
    summary: 'List events of the backend that could not be applied',
    description:
      'The oldest first. An event is parked when nobody can read it, when applying it has failed for a day, or when nothing has ' +
      'applied it in seven days. It stays until it is applied; what is over is listed for 90 days.',
    query: z.object({
      status: z.enum(PARKED_EVENT_STATUSES).optional().meta({ description: 'Only events in this state.' }),
      sessionName: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'Only those of the session of this name at the backend.' }),
      limit: Limit,
      cursor: nextPage(Cursor),
    }),
    reply: z.object({
      events: z.array(ParkedEventView).meta({ description: 'The events of this page.' }),
      parked: z.int().meta({ description: 'How many wait for an operator, of all sessions.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ query: { status = null, sessionName = null, limit, cursor: after = null } }, { database }) {
      return database.read(async (queries) => {
        const found = await listParkedEvents(queries, { status, sessionName }, { after, limit: limit + 1 });
        const { rows, ...page } = pageOf(found, limit, ({ id }) => Cursor.encode(id));
        const { parked } = await countParkedEvents(queries);
        return { events: rows.map(toView), parked, ...page };
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/v1/internal/backend/parked-events/:id/apply',
    auth: 'psk',
    operationId: 'parkedEvents.apply',
    summary: 'Apply a parked event of the backend again',
    description:
      'As if it had just come: what is known already changes nothing, and a message of long ago is told and not answered by the ' +
      'agent. Answers what the event is then: one that fails again is still `parked`, with its `error`. May be repeated.',
    params: z.object({
      id: z
        .string()
        .refine(isRowNumber, 'is not the id of a parked event')
        .meta({ description: 'The number of the event, as its list shows it.', examples: ['4711'] }),
    }),
    reply: ParkedEventView,
    errors: ['not_found'],
    async handle({ params }, { applyParkedEvent }) {
      const event = await applyParkedEvent(params.id);
      if (!event) throw notFound('parked event');
      return toView(event);
    },
  }),
];
