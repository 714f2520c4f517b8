import { z } from 'zod';
import { listEventTypes } from '../../domain/webhooks/event-catalogue.ts';
import { defineRoute } from '../deps.ts';

const EventTypeView = z
  .object({
    type: z.string().meta({ description: 'The type, as `event` of the body says it.' }),
    title: z.string().meta({ description: 'What it tells, in a few words.' }),
    when: z.string().meta({ description: 'What has happened when it is sent.' }),
    schema: z.record(z.string(), z.unknown()).meta({ description: 'JSON Schema 2020-12 of the whole body.' }),
    example: z
      .object({
        event: z.string().meta({ description: 'The type.' }),
        payload: z.record(z.string(), z.unknown()).meta({ description: 'What has happened.' }),
        metadata: z.record(z.string(), z.unknown()).meta({ description: 'Whose it is, its id and its place.' }),
      })
      .meta({ description: 'A body of this type.' }),
  })
  .meta({ id: 'WebhookEventKind', description: 'A type of events.' });

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
    summary: 'List the kinds of events, with their schemas and examples',
    description: `Every event fits its schema. Fields may be added, so ignore those that you do not know.\n\n${described}`,
    reply: z.object({
      eventTypes: z.array(EventTypeView).meta({ description: 'Every type.' }),
      hasMore: z.literal(false).meta({ description: 'The list is whole.' }),
    }),
    handle: () => ({ eventTypes: EVENT_TYPES_SERVED, hasMore: false as const }),
  }),
];
