import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { envelopeOf, EVENT_CATALOGUE, listEventTypes } from '../../domain/webhooks/event-catalogue.ts';
import type { CatalogueEntry } from '../../domain/webhooks/event-catalogue.ts';

/** The headers of every delivery, as Standard Webhooks names them. */
const HEADERS = z.object({
  'webhook-id': z.string().meta({
    description:
      'The id of the event, the same for every attempt. Use it to skip events that you have already processed.',
    example: 'evt_019a8f3e-7c12-71a7-a062-9ebf30516283',
  }),
  'webhook-timestamp': z.string().meta({
    description: 'When this attempt was signed, in Unix seconds. Refuse a time that is more than five minutes off.',
    example: '1772443800',
  }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. Several signatures, ' +
      'separated by spaces, while an old secret also signs.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

/** Makes the `webhooks` of the document from the catalogue of events. */
export function describeWebhooks(): ZodOpenApiPathsObject {
  return Object.fromEntries(listEventTypes().map((entry) => [entry.type, { post: operationOf(entry) }]));
}

function operationOf({ type, title, when, example }: CatalogueEntry): ZodOpenApiOperationObject {
  const schema = envelopeOf(type).meta({ id: `${pascal(type)}Event`, title, description: EVENT_CATALOGUE[type].when });
  return {
    operationId: `events.${camel(type)}`,
    tags: ['events'],
    summary: title,
    description: when,
    security: [],
    requestParams: { header: HEADERS },
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: {
      '2XX': {
        description: 'The event has arrived and is not sent again. Respond at once and do the work afterwards.',
      },
      '4XX': {
        description: 'The attempt has failed and is retried later. 410 disables the endpoint, 429 slows it down.',
      },
      '5XX': { description: 'The attempt has failed and is retried later, up to twelve times in three days.' },
    },
  };
}

function camel(type: string): string {
  return type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function pascal(type: string): string {
  return camel(`.${type}`);
}
