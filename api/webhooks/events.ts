import { z } from 'zod';
import { listDeliveries } from '../../db/webhooks/delivery-list.ts';
import { findEvent, listEvents } from '../../db/webhooks/events/event-list.ts';
import type { EventPlace } from '../../db/webhooks/events/event-list.ts';
import { resendEvent } from '../../db/webhooks/redelivery.ts';
import { notFound } from '../../domain/error.ts';
import { EVENT_TYPES } from '../../domain/webhooks/event.ts';
import { AgencyField, ExternalId } from '../../domain/scope.ts';
import { EventDetail, EventView } from '../../domain/webhooks/record.ts';
import { defineRoute } from '../deps.ts';
import { filterOf } from './event-filter.ts';
import { writeEventPlace } from './event-place.ts';
import { cursorOf, HasMore, Limit, Moment, NextCursor, pageOf } from '../wire/page.ts';
import { After, PullCursor, readCursor } from './pull-cursor.ts';
import { pullPage } from './pull.ts';
import { toDeliveryView, toEventView } from './view.ts';
import { ConversationId, EndpointId, EventId, SessionId } from '../../domain/ids.ts';

const EventPath = z.object({ id: EventId });
const MAX_WAIT_SECONDS = 25;
/** An event hardly ever goes to more endpoints than this, so the list ends here. */
const MAX_DELIVERIES = 200;

const Cursor = cursorOf<EventPlace>({ read: readCursor, write: writeEventPlace });

export const webhookEventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/events',
    auth: 'client',
    cost: 3,
    scope: 'read',
    operationId: 'webhookEvents.list',
    summary: 'List events, or pull them after a cursor',
    description:
      'Without `after`, returns the newest events without bodies. With `after`, returns each event once, ' +
      'with its exact body, in order.\n\nThe order is that of `metadata.sequence` within a session, and so ' +
      'within a conversation, across pages. Concurrent transactions lose no event. Begin with ' +
      '`after=start` and continue with `nextCursor`, which is present even if there is nothing new. An ' +
      'event is kept until it is 30 days old. If events after a cursor were deleted, the cursor is refused ' +
      'with 410 `cursor_expired`: begin again with `after=start`.\n\nA cursor belongs to the database that ' +
      'issued it. If the engine can tell that the database was restored from an earlier time, it returns ' +
      '410 `cursor_invalid`. After any restore, begin again with `after=start` or `since`, and recognize ' +
      'by their ids the events that you already have.',
    query: z.object({
      type: z.enum(EVENT_TYPES).optional().meta({ description: 'Only events of this type.' }),
      tenantId: ExternalId.optional().meta({ description: 'Only those of this tenant.' }),
      sessionId: SessionId.optional().meta({ description: 'Only those of this session.' }),
      conversationId: ConversationId.optional().meta({
        description:
          'Only those of this conversation. Searches the seven days before `until` (or before now), unless `since` gives the start.',
      }),
      since: Moment.optional().meta({ description: 'Only from this time on, with any UTC offset.' }),
      until: Moment.optional().meta({ description: 'Only before this time, with any UTC offset.' }),
      limit: Limit,
      cursor: Cursor.optional().meta({
        description: 'The `nextCursor` of the last response, to get the next page of the list.',
      }),
      after: After.optional().meta({ description: '`start`, or the `nextCursor` of the previous pull.' }),
      wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).default(0).meta({
        description:
          'With `after`: how many seconds the request waits if there is nothing new. Up to 200 requests of an agency wait at a time; further ones return 429.',
      }),
      tests: z.enum(['true', 'false']).default('false').meta({
        description: 'With `after`: also return the events of `test`, which went to one endpoint only.',
      }),
    }),
    reply: z.object({
      events: z.array(EventView).meta({ description: 'The events on this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    errors: ['cursor_expired', 'cursor_invalid', 'too_many_waiting'],
    async handle({ caller, query, request }, deps) {
      const { limit, wait } = query;
      const filter = filterOf(query, deps.database.clock.now());
      if (query.after !== undefined) {
        const pulled = await pullPage(deps, {
          reach: caller.reach,
          filter: { ...filter, tests: query.tests === 'true' },
          page: { after: query.after, limit },
          waitSeconds: wait,
          signal: request.signal,
        });
        const { events, hasMore, next } = pulled;
        return { events: events.map(toEventView), hasMore, nextCursor: PullCursor.encode(next) };
      }
      const found = await deps.database.read((queries) =>
        listEvents(queries, caller.reach, filter, { before: query.cursor ?? null, limit: limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, limit, (last) => Cursor.encode(last));
      return { events: rows.map(toEventView), ...page };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/events/:id',
    auth: 'client',
    scope: 'read',
    operationId: 'webhookEvents.read',
    summary: 'Read an event, its body and its deliveries',
    params: EventPath,
    reply: EventDetail,
    errors: ['not_found'],
    async handle({ caller, params }, { database }) {
      return database.read(async (queries) => {
        const event = await findEvent(queries, caller.reach, params.id);
        if (!event) throw notFound('event');
        const filter = { endpointId: null, eventId: event.id, status: null, since: null, until: null };
        const deliveries = await listDeliveries(queries, caller.reach, filter, {
          before: null,
          limit: MAX_DELIVERIES,
        });
        return { ...toEventView(event), deliveries: deliveries.map((row) => toDeliveryView(row, caller.login)) };
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/events/:id/resend',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEvents.resend',
    summary: 'Resend an event immediately',
    description:
      'Sends the event to the named endpoint, even if the event was not for it; otherwise to every endpoint it was ' +
      'for. It goes ahead of the events that wait there and keeps its id.',
    params: EventPath,
    body: z
      .strictObject({
        agencyId: AgencyField,
        endpointId: EndpointId.optional().meta({
          description: 'The endpoint that gets the event. If omitted, every endpoint that the event was for gets it.',
        }),
      })
      .meta({ id: 'ResendWebhookEvent', description: 'The endpoint for the repeated event.' }),
    status: 202,
    reply: z.object({
      eventId: EventId,
      deliveries: z
        .array(
          z.object({
            endpointId: EndpointId,
            deliveryId: z.string().meta({ description: "The delivery's number.", examples: ['4711'] }),
          }),
        )
        .meta({ description: 'The endpoint for the repeated event.' }),
    }),
    idempotent: true,
    errors: ['not_found'],
    handle: ({ caller, params, body, commit }) =>
      commit.transaction(async (tx) => {
        const by = { actor: caller.actor ?? 'api', reason: null, keyId: caller.keyId };
        const { agencyId } = caller;
        const event = { agencyId, eventId: params.id, endpointId: body.endpointId ?? null };
        const sent = await resendEvent(tx, event, by);
        if (sent.outcome === 'resent') return { eventId: params.id, deliveries: sent.deliveries };
        throw sent.outcome === 'no_event' ? notFound('event') : notFound('endpoint', '/endpointId');
      }),
  }),
];
