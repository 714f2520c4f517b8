import { z } from 'zod';
import type { Tx } from '../../db/engine/tx.ts';
import { findDelivery, isRowNumber, listAttempts, listDeliveries } from '../../db/webhooks/delivery-list.ts';
import type { AttemptPlace, DeliveryPlace } from '../../db/webhooks/delivery-list.ts';
import type { EventPlace } from '../../db/webhooks/events/event-list.ts';
import { cancelDelivery, resendDelivery } from '../../db/webhooks/redelivery.ts';
import type { DeliveryCancelled, DeliveryResent } from '../../db/webhooks/redelivery.ts';
import type { LoginRef } from '../../domain/caller.ts';
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
  .meta({ description: "The delivery's number, as the list of deliveries shows it.", examples: ['4711'] });
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
  since: Moment.optional().meta({ description: 'Only from this time on, with any UTC offset.' }),
  until: Moment.optional().meta({ description: 'Only before this time, with any UTC offset.' }),
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
      'Returns the newest first. A delivery is one event for one endpoint.\n\n`since` and `until` compare ' +
      'with the time of the event. The deliveries of a tenant or a session are listed as long as their ' +
      'events are kept.',
    query: z.object({
      endpointId: EndpointId.optional().meta({ description: 'Only those of this endpoint.' }),
      eventId: EventId.optional().meta({ description: 'Only those of this event.' }),
      status: z.enum(DELIVERY_STATUSES).optional().meta({ description: 'Only deliveries with this status.' }),
      ...span,
      cursor: nextPage(DeliveryCursor),
    }),
    reply: z.object({
      deliveries: z.array(DeliveryView).meta({ description: 'The deliveries on this page.' }),
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
      return { deliveries: rows.map((row) => toDeliveryView(row, caller.login)), ...page };
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
        description:
          'Returns the delivery only if it belongs to this endpoint. A caller that sees a single endpoint names it here.',
      }),
    }),
    reply: DeliveryView,
    errors: ['not_found'],
    async handle({ caller, params, query: { endpointId } }, { database }) {
      const delivery = await database.read((queries) => findDelivery(queries, caller.reach, params.id));
      const isOther = endpointId !== undefined && delivery?.endpointId !== endpointId;
      if (!delivery || isOther) throw notFound('delivery');
      return toDeliveryView(delivery, caller.login);
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
      'Returns the newest first. The attempts of a tenant or a session are those of their events.\n\nEach ' +
      "shows how it ended, how long it took, and the first bytes of the response, which a session's key " +
      'does not see.',
    query: z.object({
      endpointId: EndpointId.optional().meta({ description: 'Only those of this endpoint.' }),
      deliveryId: RowNumber.optional().meta({ description: 'Only those of this delivery.' }),
      eventId: EventId.optional().meta({ description: 'Only those of this event.' }),
      class: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .meta({ description: 'Only those that ended with this class, such as `timeout`.' }),
      ...span,
      cursor: nextPage(AttemptCursor),
    }),
    reply: z.object({
      attempts: z.array(AttemptView).meta({ description: 'The attempts on this page.' }),
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
      return { attempts: rows.map((row) => toAttemptView(row, caller.reach, caller.login)), ...page };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/deliveries/:id/resend',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookDeliveries.resend',
    summary: 'Resend a delivery immediately',
    description:
      'Sends the delivery before everything that waits for its endpoint, and starts its retry ladder again. If an attempt is in progress, the delivery is left to that attempt.',
    params: DeliveryPath,
    status: 202,
    reply: DeliveryView,
    idempotent: true,
    errors: ['not_found', 'event_expired'],
    handle: ({ caller, params, commit }) =>
      commit.transaction(async (tx) => {
        const by = { actor: caller.actor ?? 'api', reason: null, keyId: caller.keyId };
        const { agencyId, login } = caller;
        refuseUnlessResent(await resendDelivery(tx, { agencyId, id: params.id }, by));
        return viewOf(tx, { agencyId, login }, params.id);
      }),
  }),

  defineRoute({
    method: 'POST',
    path: '/api/v1/webhooks/deliveries/:id/cancel',
    auth: 'agency',
    scope: 'webhooks',
    operationId: 'webhookDeliveries.cancel',
    summary: 'Cancel a waiting delivery',
    description: 'Deliveries that wait behind it continue. You can still resend a cancelled delivery.',
    params: DeliveryPath,
    reply: DeliveryView,
    errors: ['not_found', 'delivery_ended', 'delivery_in_flight'],
    handle: ({ caller, params }, { database }) =>
      database.transaction(async (tx) => {
        const by = { actor: caller.actor ?? 'api', reason: null, keyId: caller.keyId };
        const { agencyId, login } = caller;
        refuseUnlessCancelled(await cancelDelivery(tx, { agencyId, id: params.id }, by));
        return viewOf(tx, { agencyId, login }, params.id);
      }),
  }),
];

async function viewOf(
  tx: Tx,
  { agencyId, login }: { agencyId: string; login: LoginRef | undefined },
  id: string,
): Promise<DeliveryView> {
  const delivery = await findDelivery(tx, { agencyId, tenantId: null, sessionId: null }, id);
  if (!delivery) throw notFound('delivery');
  return toDeliveryView(delivery, login);
}

function refuseUnlessResent(outcome: DeliveryResent): void {
  if (outcome === 'no_delivery') throw notFound('delivery');
  if (outcome === 'no_endpoint') throw notFound('endpoint');
  if (outcome === 'event_expired') {
    throw new EngineError(
      'event_expired',
      'The body of the event is no longer kept, so the event cannot be sent again.',
    );
  }
}

function refuseUnlessCancelled(cancelled: DeliveryCancelled): void {
  switch (cancelled.outcome) {
    case 'cancelled':
      return;
    case 'no_delivery':
      throw notFound('delivery');
    case 'ended':
      throw new EngineError('delivery_ended', `The delivery is ${cancelled.status}: there is nothing left to cancel.`);
    case 'in_flight':
      throw new EngineError('delivery_in_flight', 'An attempt is in progress. Check again when it has ended.');
  }
}
