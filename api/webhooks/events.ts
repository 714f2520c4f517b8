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
      'Without `after`: the newest first, without bodies. With `after`: with the exact bodies that endpoints are sent, each event ' +
      'once and none left out, however many transactions are open, in the order of `metadata.sequence` within a session and so ' +
      'within a conversation, across pages, too; begin with `after=start` and go on with `nextCursor`, which is there also when ' +
      'nothing is new. An event is there until it is 30 days old; a cursor after which events were deleted is refused with 410 ' +
      '`cursor_expired`: begin again with `after=start`.\n\n' +
      'A cursor belongs to the database that gave it. Where the engine can tell that the database was restored from an earlier ' +
      'time, it answers 410 `cursor_invalid`; after any restore, begin again with `after=start` or `since`, and know by the event ' +
      'ids what you have had.',
    query: z.object({
      type: z.enum(EVENT_TYPES).optional().meta({ description: 'Only events of this type.' }),
      tenantId: ExternalId.optional().meta({ description: 'Only those of one tenant.' }),
      sessionId: SessionId.optional().meta({ description: 'Only those of one session.' }),
      conversationId: ConversationId.optional().meta({
        description: 'Looked for in the seven days before `until` or now, unless `since` says from when.',
      }),
      since: Moment.optional().meta({ description: 'Only from this time on, with any offset.' }),
      until: Moment.optional().meta({ description: 'Only before this time, with any offset.' }),
      limit: Limit,
      cursor: Cursor.optional().meta({ description: "The last answer's `nextCursor`, for the next page of the list." }),
      after: After.optional().meta({ description: '`start`, or the `nextCursor` of the pull before.' }),
      wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECONDS).default(0).meta({
        description:
          'With `after`: seconds that the answer is held while there is nothing new; 200 requests of an agency at a time, else 429.',
      }),
      tests: z.enum(['true', 'false']).default('false').meta({
        description: 'With `after`: also the events of `test`, which went to one endpoint.',
      }),
    }),
    reply: z.object({
      events: z.array(EventView).meta({ description: 'The events of this page.' }),
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
    summary: 'Read an event, its body and what became of it',
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
        return { ...toEventView(event), deliveries: deliveries.map(toDeliveryView) };
      });
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/events/:id/resend',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookEvents.resend',
    summary: 'Send an event again, now',
    description:
      'To the endpoint that is named, also where it was not for it, else to every one that it was for; ahead of what waits ' +
      'there. It keeps its id.',
    params: EventPath,
    body: z
      .strictObject({
        agencyId: AgencyField,
        endpointId: EndpointId.optional().meta({
          description: 'The endpoint that gets it; every one that it was for when left out.',
        }),
      })
      .meta({ id: 'ResendWebhookEvent', description: 'Where the event goes again.' }),
    status: 202,
    reply: z.object({
      eventId: EventId,
      deliveries: z
        .array(
          z.object({
            endpointId: EndpointId,
            deliveryId: z.string().meta({ description: 'The delivery, by its number.', examples: ['4711'] }),
          }),
        )
        .meta({ description: 'Where it goes again.' }),
    }),
    idempotent: true,
    errors: ['not_found'],
    handle: ({ caller, params, body, commit }) =>
      commit.transaction(async (tx) => {
        const by = { actor: 'api', reason: null, keyId: caller.keyId };
        const { agencyId } = caller;
        const event = { agencyId, eventId: params.id, endpointId: body.endpointId ?? null };
        const sent = await resendEvent(tx, event, by);
        if (sent.outcome === 'resent') return { eventId: params.id, deliveries: sent.deliveries };
        throw sent.outcome === 'no_event' ? notFound('event') : notFound('endpoint', '/endpointId');
      }),
  }),
];
