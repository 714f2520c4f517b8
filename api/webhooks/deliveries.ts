import { z } from 'zod';
import type { Tx } from '../../db/tx.ts';
import { findDelivery, isRowNumber, listAttempts, listDeliveries } from '../../db/webhooks/delivery-list.ts';
import type { AttemptPlace, DeliveryPlace } from '../../db/webhooks/delivery-list.ts';
import type { EventPlace } from '../../db/webhooks/events/event-list.ts';
import { cancelDelivery, resendDelivery } from '../../db/webhooks/redelivery.ts';
import type { DeliveryCancelled, DeliveryResent } from '../../db/webhooks/redelivery.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import { AttemptView, DELIVERY_STATUSES, DeliveryView } from '../../domain/webhooks/record.ts';
import { defineRoute } from '../deps.ts';
import { readEventPlace, writeEventPlace } from './event-place.ts';
import { cursorOf, HasMore, Limit, Moment, NextCursor, nextPage, pageOf } from '../wire/page.ts';
import { toAttemptView, toDeliveryView } from './view.ts';
import { EndpointId, EventId } from '../../domain/ids.ts';

const RowNumber = z
  .string()
  .refine(isRowNumber, 'is not the id of a delivery')
  .meta({ description: 'The number of a delivery, as its list shows it.', examples: ['4711'] });
const DeliveryPath = z.object({ id: RowNumber });

/**
 * Reads an event's place from a cursor: null when the cursor has none, because its list does not go by events, and
 * undefined when the engine cannot have written the place.
 */
function placeOf(txid: string | undefined, place: string | undefined): EventPlace | null | undefined {
  return txid && place ? readEventPlace(txid, place) : null;
}

const DeliveryCursor = cursorOf<DeliveryPlace>({
  read(text) {
    const [id = '', txid, place] = text.split(' ');
    const event = placeOf(txid, place);
    return isRowNumber(id) && event !== undefined ? { id, event } : undefined;
  },
  write: ({ id, event }) => `${id} ${event === null ? '' : writeEventPlace(event)}`,
});

const AttemptCursor = cursorOf<AttemptPlace>({
  read(text) {
    const [at = '', deliveryId = '', number = '', txid, place] = text.split(' ');
    const event = placeOf(txid, place);
    const isPlace = !Number.isNaN(Date.parse(at)) && isRowNumber(deliveryId) && /^\d{1,9}$/.test(number);
    return isPlace && event !== undefined ? { at: new Date(at), deliveryId, number: Number(number), event } : undefined;
  },
  write: ({ at, deliveryId, number, event }) =>
    `${at.toISOString()} ${deliveryId} ${number} ${event === null ? '' : writeEventPlace(event)}`,
});

const span = {
  since: Moment.optional().meta({ description: 'Only from this time on, with any offset.' }),
  until: Moment.optional().meta({ description: 'Only before this time, with any offset.' }),
  limit: Limit,
};

export const webhookDeliveryRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/deliveries',
    auth: 'client',
    cost: 3,
    scope: 'read',
    operationId: 'webhookDeliveries.list',
    summary: 'List deliveries',
    description:
      'The newest first. A delivery is one event for one endpoint; `since` and `until` are by the time of the event. Those of a ' +
      'tenant or a session are here as long as their events.',
    query: z.object({
      endpointId: EndpointId.optional().meta({ description: 'Only those of one endpoint.' }),
      eventId: EventId.optional().meta({ description: 'Only those of one event.' }),
      status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Only deliveries in this state.' }),
      ...span,
      cursor: nextPage(DeliveryCursor),
    }),
    reply: z.object({
      deliveries: z.array(DeliveryView).meta({ description: 'The deliveries of this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query }, { database }) {
      const { endpointId = null, eventId = null, status = null, since = null, until = null } = query;
      const filter = { endpointId, eventId, status, since, until };
      const found = await database.read((queries) =>
        listDeliveries(queries, caller.reach, filter, { before: query.cursor ?? null, limit: query.limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, query.limit, (last) =>
        DeliveryCursor.encode({ id: last.id, event: last.eventPlace }),
      );
      return { deliveries: rows.map(toDeliveryView), ...page };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/deliveries/:id',
    auth: 'client',
    scope: 'read',
    operationId: 'webhookDeliveries.read',
    summary: 'Read a delivery',
    params: DeliveryPath,
    query: z.object({
      endpointId: EndpointId.optional().meta({
        description: 'Only if it is of this endpoint; who sees one endpoint alone names it here.',
      }),
    }),
    reply: DeliveryView,
    errors: ['not_found'],
    async handle({ caller, params, query: { endpointId } }, { database }) {
      const delivery = await database.read((queries) => findDelivery(queries, caller.reach, params.id));
      const isOther = endpointId !== undefined && delivery?.endpointId !== endpointId;
      if (!delivery || isOther) throw notFound('delivery');
      return toDeliveryView(delivery);
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/attempts',
    auth: 'client',
    cost: 3,
    scope: 'read',
    operationId: 'webhookAttempts.list',
    summary: 'List attempts',
    description:
      'The newest first, of a tenant or a session by their events: how each ended, what it took, and the beginning of the answer, which a ' +
      "session's key is not shown.",
    query: z.object({
      endpointId: EndpointId.optional().meta({ description: 'Only those of one endpoint.' }),
      deliveryId: RowNumber.optional().meta({ description: 'Only those of one delivery.' }),
      eventId: EventId.optional().meta({ description: 'Only those of one event.' }),
      class: z.string().min(1).max(64).optional().meta({ description: 'Only those that ended so, such as `timeout`.' }),
      ...span,
      cursor: nextPage(AttemptCursor),
    }),
    reply: z.object({
      attempts: z.array(AttemptView).meta({ description: 'The attempts of this page.' }),
      hasMore: HasMore,
      nextCursor: NextCursor,
    }),
    async handle({ caller, query }, { database }) {
      const { endpointId = null, deliveryId = null, eventId = null, since = null, until = null } = query;
      const filter = { endpointId, deliveryId, eventId, class: query.class ?? null, since, until };
      const found = await database.read((queries) =>
        listAttempts(queries, caller.reach, filter, { before: query.cursor ?? null, limit: query.limit + 1 }),
      );
      const { rows, ...page } = pageOf(found, query.limit, (last) =>
        AttemptCursor.encode({ ...last, event: last.eventPlace }),
      );
      return { attempts: rows.map((row) => toAttemptView(row, caller.reach)), ...page };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/deliveries/:id/resend',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookDeliveries.resend',
    summary: 'Send one delivery again, now',
    description:
      'Ahead of what waits for its endpoint, with a new ladder of retries. One that is being attempted is left to that.',
    params: DeliveryPath,
    status: 202,
    reply: DeliveryView,
    idempotent: true,
    errors: ['not_found', 'event_expired'],
    handle: ({ caller, params, commit }) =>
      commit.transaction(async (tx) => {
        const by = { actor: 'api', reason: null, keyId: caller.keyId };
        const { agencyId } = caller;
        refuseUnlessResent(await resendDelivery(tx, { agencyId, id: params.id }, by));
        return viewOf(tx, agencyId, params.id);
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/deliveries/:id/cancel',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookDeliveries.cancel',
    summary: 'Cancel a delivery that waits',
    description: 'What waits behind it goes on. It can still be sent again.',
    params: DeliveryPath,
    reply: DeliveryView,
    errors: ['not_found', 'delivery_ended', 'delivery_in_flight'],
    handle: ({ caller, params }, { database }) =>
      database.transaction(async (tx) => {
        const by = { actor: 'api', reason: null, keyId: caller.keyId };
        const { agencyId } = caller;
        refuseUnlessCancelled(await cancelDelivery(tx, { agencyId, id: params.id }, by));
        return viewOf(tx, agencyId, params.id);
      }),
  }),
];

async function viewOf(tx: Tx, agencyId: string, id: string): Promise<DeliveryView> {
  const delivery = await findDelivery(tx, { agencyId, tenantId: null, sessionId: null }, id);
  if (!delivery) throw notFound('delivery');
  return toDeliveryView(delivery);
}

function refuseUnlessResent(outcome: DeliveryResent): void {
  if (outcome === 'no_delivery') throw notFound('delivery');
  if (outcome === 'no_endpoint') throw notFound('endpoint');
  if (outcome === 'event_expired') {
    throw new EngineError('event_expired', 'Its body is gone, so it cannot be sent again.');
  }
}

function refuseUnlessCancelled(cancelled: DeliveryCancelled): void {
  switch (cancelled.outcome) {
    case 'cancelled':
      return;
    case 'no_delivery':
      throw notFound('delivery');
    case 'ended':
      throw new EngineError('delivery_ended', `It is ${cancelled.status}: there is nothing left to cancel.`);
    case 'in_flight':
      throw new EngineError('delivery_in_flight', 'An attempt is under way. Look again when it has ended.');
  }
}
