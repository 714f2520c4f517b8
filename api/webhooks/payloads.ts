import { z } from 'zod';
import { findWholeEvent } from '../../db/webhooks/events/event-list.ts';
import { isGenuinePayloadLink } from '../../db/webhooks/events/event-body.ts';
import { notFound } from '../../domain/error.ts';
import { binary } from '../wire/answer.ts';
import { defineRoute } from '../deps.ts';
import { EventId } from '../../domain/ids.ts';

export const webhookPayloadRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/payloads/:eventId',
    auth: 'public',
    operationId: 'webhookEvents.readPayload',
    summary: 'Read the payload of a large event',
    description: "The address is the event's `payloadUrl`. It needs no key and is valid as long as the event is kept.",
    params: z.object({ eventId: EventId }),
    query: z.object({
      signature: z
        .string()
        .min(1)
        .max(128)
        .meta({ description: 'Part of the address, which proves that the engine issued it.' }),
    }),
    reply: z.record(z.string(), z.unknown()),
    errors: ['not_found'],
    async handle({ params: { eventId }, query: { signature } }, { database }) {
      const isGenuine = isGenuinePayloadLink(database.secrets, eventId, signature);
      const whole = isGenuine ? await database.read((queries) => findWholeEvent(queries, eventId)) : undefined;
      if (whole === undefined) throw notFound('event');
      return binary('application/json', Buffer.from(whole));
    },
  }),
];
