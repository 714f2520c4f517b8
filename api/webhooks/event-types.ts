import { z } from 'zod';
import { listEventTypes } from '../../domain/webhooks/event-catalogue.ts';
import { defineRoute } from '../deps.ts';

const EventTypeView = z
  .object({
    type: z.string().meta({ description: 'The event type, as in `event` of the body.' }),
    title: z.string().meta({ description: 'A short title.' }),
    when: z.string().meta({ description: 'The occasion of this event.' }),
    schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12 of the whole body.' }),
    example: z
      .object({
        event: z.string().meta({ description: 'The event type.' }),
        payload: z.record(z.string(), z.unknown()).meta({ description: "The event's data." }),
        metadata: z.record(z.string(), z.unknown()).meta({ description: "The event's owner, id and position." }),
      })
      .meta({ description: 'A body of this type.' }),
  })
  .meta({ id: 'WebhookEventKind', description: 'An event type.' });

/** The catalogue does not change while the process runs, so it is made once. */
const EVENT_TYPES_SERVED = listEventTypes().map(({ example, ...entry }) => ({
  ...entry,
  example: { ...example, payload: { ...example.payload } },
}));

const described = EVENT_TYPES_SERVED.map(({ type, when }) => `- \`${type}\`: ${when}`).join('\n');

export const webhookEventTypeRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/webhooks/event-types',
    auth: 'public',
    operationId: 'webhookEventTypes.list',
    summary: 'List event types with their schemas and examples',
    description: `Every event conforms to its schema. Fields may be added, so ignore fields that you do not know.\n\n${described}`,
    reply: z.object({
      eventTypes: z.array(EventTypeView).meta({ description: 'All event types.' }),
      hasMore: z.literal(false).meta({ description: 'The list is complete.' }),
    }),
    handle: () => ({ eventTypes: EVENT_TYPES_SERVED, hasMore: false as const }),
  }),
];
