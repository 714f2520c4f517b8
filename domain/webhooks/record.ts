import { z } from 'zod';
import { explained } from '../explained.ts';
import { ConversationId, EndpointId, EventId, SessionId } from '../ids.ts';
import { ENDPOINT_STATUSES, EndpointState } from './endpoint.ts';
import { ENDPOINT_EVENTS, ENDPOINT_REASON_TEXTS, EVENT_TYPES } from './event.ts';
import { ATTEMPT_CLASSES } from './retry.ts';
import type { AttemptClass } from './retry.ts';

/** Describes each class of attempts, for the document. */
export const ATTEMPT_CLASS_TEXTS: Readonly<Record<AttemptClass, string>> = {
  delivered: 'The endpoint returned 2xx.',
  redirect_not_followed: 'It returned 3xx. Redirects are not followed: set the URL that it redirects to.',
  client_error: 'It returned 4xx: its handler refuses the event.',
  not_ready: 'It returned 408 or 425: it is not ready for the request yet.',
  gone: 'It returned 410: it wants no more events and is disabled.',
  throttled: 'It returned 429: it gets fewer requests for a while.',
  server_error: 'It returned 5xx: its handler failed.',
  gateway_error: 'It returned 502 or 504: something in front of it cannot reach it.',
  timeout: 'It did not respond within its timeout.',
  dns_error: 'Its host name cannot be resolved.',
  connection_refused: 'Nothing listens at its address and port.',
  connection_reset: 'The connection was closed before a response.',
  network_unreachable: 'There is no route to its address.',
  tls_error: 'Its certificate cannot be trusted, or TLS failed.',
  invalid_response: 'Its response is not HTTP.',
  network_error: 'The network failed in another way.',
  blocked_address: 'Its address is private or reserved, and the engine does not connect to such addresses.',
  insecure_url: 'Its URL is http, and events go to public addresses only over https.',
  engine_error: 'The engine itself was missing something. The attempt does not count.',
  secret_unreadable: 'The secret was sealed with another key of the engine. The attempt does not count.',
  released: 'The engine gave the delivery back without an attempt. It does not count.',
};

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const Time = z.iso.datetime();

const EventShown = {
  eventType: z
    .string()
    .nullable()
    .meta({
      enum: [...EVENT_TYPES, null],
      description: 'The type of the event. Null if the event is no longer kept.',
    }),
  conversation: z
    .object({
      id: ConversationId,
      name: z.string().meta({ description: 'The name or the number, as in the inbox.' }),
    })
    .nullable()
    .meta({
      description:
        'The conversation of the event. Null if it has none, and for people who came by a link to one endpoint.',
    }),
};

export const EventView = z
  .object({
    id: EventId,
    type: z.string().meta({ enum: [...EVENT_TYPES], description: 'The event type, as in `event` of the body.' }),
    tenantId: z
      .string()
      .nullable()
      .meta({ description: 'The tenant that the event belongs to. Null for events about an endpoint.' }),
    sessionId: SessionId.nullable().meta({
      description: 'The session of the event. Null for events about an endpoint.',
    }),
    conversationId: ConversationId.nullable().meta({
      description: 'The conversation of the event. Null if it has none.',
    }),
    sequence: z.int().meta({ description: "As in the event's `metadata`." }),
    createdAt: Time.meta({ description: 'When the event was written.' }),
    test: z.boolean().meta({ description: 'True if `test` made it, for one endpoint.' }),
    body: z
      .string()
      .optional()
      .meta({
        description:
          'The exact bytes that every endpoint is sent. In the list only with `after`.\n\nMissing if the body is ' +
          'no longer kept.',
      }),
  })
  .meta({ id: 'WebhookEvent', description: 'An event, without its deliveries.' });
export type EventView = z.infer<typeof EventView>;

export const DeliveryView = z
  .object({
    id: z.string().meta({ description: 'The number of the delivery.', examples: ['4711'] }),
    endpointId: EndpointId,
    eventId: EventId,
    ...EventShown,
    tenantId: z
      .string()
      .nullable()
      .meta({ description: 'The tenant that the event belongs to. Null for events about an endpoint.' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: explained('The status of the delivery.', {
        pending: 'It waits for its first attempt, or for the next one.',
        delivered: 'The endpoint returned 2xx.',
        failed: 'It has used up its attempts; it can be recovered.',
        cancelled: 'It was cancelled, or its endpoint was deleted.',
      }),
    }),
    attempts: z.int().meta({ description: 'The number of attempts that count so far.' }),
    firstAttemptAt: Time.nullable().meta({ description: 'When it was first posted. Null before that.' }),
    nextAttemptAt: Time.nullable().meta({
      description:
        'When the next attempt is made: now at the earliest. Null while an earlier event of its lane is not finished, ' +
        'and while the endpoint gets no attempts.',
    }),
    endedAt: Time.nullable().meta({ description: 'When it was delivered, failed or was cancelled. Null before that.' }),
    lastClass: z
      .string()
      .nullable()
      .meta({ description: 'How the last attempt ended, as in the list of attempts. Null before that.' }),
    lastStatus: z.int().nullable().meta({ description: 'The HTTP status of the last attempt, if there was one.' }),
    outOfOrder: z.boolean().meta({ description: 'True if later events of its lane do not wait for it.' }),
    eventAt: Time.meta({ description: 'When the event was written.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint.' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export const EventDetail = EventView.extend({
  deliveries: z.array(DeliveryView).meta({ description: 'The deliveries of the event, up to 200.' }),
}).meta({ id: 'WebhookEventDetail', description: 'An event and its deliveries.' });

export const AttemptView = z
  .object({
    deliveryId: z.string().meta({ description: 'The delivery that it belongs to.', examples: ['4711'] }),
    number: z.int().meta({ description: 'The first attempt of a delivery is 1.' }),
    endpointId: EndpointId,
    eventId: EventId,
    ...EventShown,
    at: Time.meta({ description: 'When the attempt began.' }),
    // It may be any text, because the log may hold classes of other releases.
    class: z.string().meta({
      enum: Object.keys(ATTEMPT_CLASSES),
      description: explained('How the attempt ended.', ATTEMPT_CLASS_TEXTS),
    }),
    likelyConfiguration: z
      .boolean()
      .meta({ description: 'True if a wrong address or handler is more likely than an outage.' }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the response. Null if there was none.' }),
    durationMs: z.int().meta({ description: 'How long it took, in milliseconds.' }),
    connectMs: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds until the connection was established. Null for a reused connection.' }),
    firstByteMs: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds until the first byte of the response. Null if there was none.' }),
    reusedConnection: z.boolean().meta({ description: 'True if it used the connection of an earlier attempt.' }),
    probe: z
      .boolean()
      .meta({ description: 'True for an occasional single attempt at an endpoint that failed too often.' }),
    location: z.string().nullable().meta({ description: 'The target of a redirect, which is not followed.' }),
    responseExcerpt: z.string().nullable().meta({ description: 'The first bytes of the response.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One HTTP request to an endpoint.' });
export type AttemptView = z.infer<typeof AttemptView>;

export function isLikelyConfiguration(name: string): boolean {
  const known = Object.entries(ATTEMPT_CLASSES).find(([each]) => each === name);
  return known !== undefined && 'likelyConfiguration' in known[1];
}

export const NoticeView = z
  .object({
    id: z
      .string()
      .meta({ description: 'The id of the notice.', examples: ['ntc_019a8f3e-7c12-71a7-a062-9ebf30516283'] }),
    agencyId: z.string().meta({ description: 'The agency that was notified.' }),
    endpointId: EndpointId,
    type: z.string().meta({
      enum: [...ENDPOINT_EVENTS],
      description: "The subject of the notice. The event of the same name goes to the agency's other endpoints.",
    }),
    at: Time.meta({ description: 'When the notice was written.' }),
    url: z.string().meta({ description: "The endpoint's URL at that time." }),
    status: z.string().meta({ enum: [...ENDPOINT_STATUSES], description: EndpointState.meta()?.description ?? '' }),
    reason: z.string().meta({
      enum: Object.keys(ENDPOINT_REASON_TEXTS),
      description: explained('The reason for the notice.', ENDPOINT_REASON_TEXTS),
    }),
    failingSince: Time.nullable().meta({ description: 'When it began to fail. Null once it is healthy.' }),
    lastError: z.string().nullable().meta({ description: 'The class of the last failed attempt.' }),
    pending: z.int().meta({ description: 'Events that waited for the endpoint at that time.' }),
  })
  .meta({ id: 'WebhookNotice', description: 'A notice about an endpoint.' });
export type NoticeView = z.infer<typeof NoticeView>;
