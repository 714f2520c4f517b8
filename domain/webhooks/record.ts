import { z } from 'zod';
import { explained } from '../explained.ts';
import { ConversationId, EndpointId, EventId, SessionId } from '../ids.ts';
import { ATTEMPT_CLASS_TEXTS } from './attempt-texts.ts';
import { ENDPOINT_STATUSES, EndpointState } from './endpoint.ts';
import { ENDPOINT_EVENTS, ENDPOINT_REASON_TEXTS, EVENT_TYPES } from './event.ts';
import { ATTEMPT_CLASSES } from './retry.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const Time = z.iso.datetime();

export const EventView = z
  .object({
    id: EventId,
    type: z
      .string()
      .meta({ enum: [...EVENT_TYPES], description: 'What has happened, as `event` of the body says it.' }),
    tenantId: z.string().nullable().meta({ description: 'Whose it is. Null for events about an endpoint.' }),
    sessionId: SessionId.nullable().meta({ description: 'The session of it. Null for events about an endpoint.' }),
    conversationId: ConversationId.nullable().meta({
      description: 'The conversation of it. Null where it is about none.',
    }),
    sequence: z.int().meta({ description: "As in the event's `metadata`." }),
    createdAt: Time.meta({ description: 'When it was written.' }),
    test: z.boolean().meta({ description: 'Made by `test`, for one endpoint.' }),
    body: z.string().optional().meta({
      description:
        'The exact bytes that every endpoint is sent. In the list only with `after`. Of an event that is not kept any more, there is none.',
    }),
  })
  .meta({ id: 'WebhookEvent', description: 'An event, without what became of it.' });
export type EventView = z.infer<typeof EventView>;

export const DeliveryView = z
  .object({
    id: z.string().meta({ description: 'The number of the delivery.', examples: ['4711'] }),
    endpointId: EndpointId,
    eventId: EventId,
    tenantId: z.string().nullable().meta({ description: 'Whose event it is. Null for events about an endpoint.' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description: explained('Where it stands.', {
        pending: 'It waits for its attempt, or for the next one.',
        delivered: 'The endpoint has answered 2xx.',
        failed: 'It has used up its attempts; it can be recovered.',
        cancelled: 'It was cancelled, or its endpoint was deleted.',
      }),
    }),
    attempts: z.int().meta({ description: 'How many attempts count so far.' }),
    firstAttemptAt: Time.nullable().meta({ description: 'When it was first posted. Null before.' }),
    nextAttemptAt: Time.nullable().meta({ description: 'Null also while an earlier event of its lane is not over.' }),
    endedAt: Time.nullable().meta({ description: 'When it was delivered, failed or was cancelled. Null before.' }),
    lastClass: z
      .string()
      .nullable()
      .meta({ description: 'How the last attempt ended, as the list of attempts names it. Null before.' }),
    lastStatus: z.int().nullable().meta({ description: 'The HTTP status of the last attempt, where there was one.' }),
    outOfOrder: z.boolean().meta({ description: 'Later events of its lane do not wait for it.' }),
    eventAt: Time.meta({ description: 'When the event was written.' }),
  })
  .meta({ id: 'WebhookDelivery', description: 'One event for one endpoint.' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export const EventDetail = EventView.extend({
  deliveries: z.array(DeliveryView).meta({ description: 'What became of it at each endpoint, 200 at most.' }),
}).meta({ id: 'WebhookEventDetail', description: 'An event, and what became of it.' });

export const AttemptView = z
  .object({
    deliveryId: z.string().meta({ description: 'The delivery that it belongs to.', examples: ['4711'] }),
    number: z.int().meta({ description: 'The first attempt of a delivery is 1.' }),
    endpointId: EndpointId,
    eventId: EventId,
    at: Time.meta({ description: 'When it began.' }),
    // It may be any text, because the log may hold classes of other releases.
    class: z
      .string()
      .meta({ enum: Object.keys(ATTEMPT_CLASSES), description: explained('How it ended.', ATTEMPT_CLASS_TEXTS) }),
    likelyConfiguration: z.boolean().meta({ description: 'More likely a wrong address or handler than an outage.' }),
    status: z.int().nullable().meta({ description: 'The HTTP status of the answer. Null where there was none.' }),
    durationMs: z.int().meta({ description: 'How long it took, in milliseconds.' }),
    connectMs: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds until the connection was there. Null on a reused one.' }),
    firstByteMs: z
      .int()
      .nullable()
      .meta({ description: 'Milliseconds until the first byte of the answer. Null where none came.' }),
    reusedConnection: z.boolean().meta({ description: 'True where it went over a connection of an earlier attempt.' }),
    probe: z.boolean().meta({ description: 'The one attempt now and then at an endpoint that failed too often.' }),
    location: z.string().nullable().meta({ description: 'Where a redirect that was not followed points to.' }),
    responseExcerpt: z.string().nullable().meta({ description: 'The first bytes of the answer.' }),
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
    agencyId: z.string().meta({ description: 'The agency that was told.' }),
    endpointId: EndpointId,
    type: z.string().meta({
      enum: [...ENDPOINT_EVENTS],
      description: 'What it tells; the event of the same name goes to the other endpoints of the agency.',
    }),
    at: Time.meta({ description: 'When it was told.' }),
    url: z.string().meta({ description: 'Where the endpoint was then.' }),
    status: z.string().meta({ enum: [...ENDPOINT_STATUSES], description: EndpointState.meta()?.description ?? '' }),
    reason: z.string().meta({
      enum: Object.keys(ENDPOINT_REASON_TEXTS),
      description: explained('Why it was told.', ENDPOINT_REASON_TEXTS),
    }),
    failingSince: Time.nullable().meta({ description: 'When it began to fail. Null once it does well.' }),
    lastError: z.string().nullable().meta({ description: 'The class of the last failed attempt.' }),
    pending: z.int().meta({ description: 'Events that waited for it then.' }),
  })
  .meta({ id: 'WebhookNotice', description: 'What was to be told about an endpoint.' });
export type NoticeView = z.infer<typeof NoticeView>;
