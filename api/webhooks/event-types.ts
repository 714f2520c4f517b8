import { z } from 'zod';
import { listEventTypes } from '../../domain/webhooks/event-catalogue.ts';
import { defineRoute } from '../deps.ts';

const EventTypeView = z
  .object({
    type: z.string(),
    title: z.string(),
    when: z.string(),
    schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12 of the whole body.' }),
    example: z.object({
      event: z.string(),
      payload: z.record(z.string(), z.unknown()),
      metadata: z.record(z.string(), z.unknown()),
    }),
  })
  .meta({ id: 'WebhookEventType' });

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
    tags: ['Webhooks'],
    summary: 'List the kinds of events, with their schemas and examples',
    description: `Every event fits its schema. Fields may be added, so ignore those that you do not know.\n\n${described}`,
    reply: z.object({ eventTypes: z.array(EventTypeView), hasMore: z.literal(false) }),
    handle: () => ({ eventTypes: EVENT_TYPES_SERVED, hasMore: false as const }),
  }),
];
