import { z } from 'zod';
import { ATTEMPT_CLASSES } from './retry.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const Time = z.iso.datetime();

export const EventView = z
  .object({
    id: z.string(),
    type: z.string(),
    tenantId: z.string().nullable(),
    sessionId: z.string().nullable(),
    conversationId: z.string().nullable(),
    sequence: z.int().meta({ description: "As in the event's `metadata`." }),
    createdAt: Time,
    test: z.boolean().meta({ description: 'Made by `test`, for one endpoint.' }),
    body: z.string().optional().meta({
      description:
        'The exact bytes that every endpoint is sent. In the list only with `after`. Of an event that is not kept any more, there is none.',
    }),
  })
  .meta({ id: 'WebhookEvent' });
export type EventView = z.infer<typeof EventView>;

export const DeliveryView = z
  .object({
    id: z.string(),
    endpointId: z.string(),
    eventId: z.string(),
    tenantId: z.string().nullable(),
    status: z.enum(DELIVERY_STATUSES).meta({ description: '`failed` has used up its attempts; it can be recovered.' }),
    attempts: z.int(),
    firstAttemptAt: Time.nullable(),
    nextAttemptAt: Time.nullable().meta({ description: 'Null also while an earlier event of its lane is not over.' }),
    endedAt: Time.nullable(),
    lastClass: z.string().nullable().meta({ description: 'How the last attempt ended.' }),
    lastStatus: z.int().nullable().meta({ description: 'The HTTP status of the last attempt, where there was one.' }),
    outOfOrder: z.boolean().meta({ description: 'Later events of its lane do not wait for it.' }),
    eventAt: Time,
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export const EventDetail = EventView.extend({ deliveries: z.array(DeliveryView) }).meta({ id: 'WebhookEventDetail' });

/**
 * The classes that the engine knows now. `class` of an attempt may be any text, because the log may hold classes of
 * other releases.
 */
const CLASSES = Object.keys(ATTEMPT_CLASSES);

export const AttemptView = z
  .object({
    deliveryId: z.string(),
    number: z.int(),
    endpointId: z.string(),
    eventId: z.string(),
    at: Time,
    class: z.string().meta({ description: `How it ended: ${CLASSES.join(', ')}.` }),
    likelyConfiguration: z.boolean().meta({ description: 'More likely a wrong address or handler than an outage.' }),
    status: z.int().nullable(),
    durationMs: z.int(),
    connectMs: z.int().nullable().meta({ description: 'Until the connection was there; null on a reused one.' }),
    firstByteMs: z.int().nullable().meta({ description: 'Until the first byte of the answer.' }),
    reusedConnection: z.boolean(),
    probe: z.boolean().meta({ description: 'The one attempt now and then at an endpoint that failed too often.' }),
    location: z.string().nullable().meta({ description: 'Where a redirect that was not followed points to.' }),
    responseExcerpt: z.string().nullable().meta({ description: 'The first bytes of the answer.' }),
  })
  .meta({ id: 'WebhookAttempt' });
export type AttemptView = z.infer<typeof AttemptView>;

export function isLikelyConfiguration(name: string): boolean {
  const known = Object.entries(ATTEMPT_CLASSES).find(([each]) => each === name);
  return known !== undefined && 'likelyConfiguration' in known[1];
}

export const NoticeView = z
  .object({
    id: z.string(),
    agencyId: z.string(),
    endpointId: z.string(),
    type: z.string().meta({ description: '`endpoint.failing`, `endpoint.disabled` or `endpoint.recovered`.' }),
    at: Time,
    url: z.string(),
    status: z.string(),
    reason: z.string(),
    failingSince: Time.nullable(),
    lastError: z.string().nullable(),
    pending: z.int(),
  })
  .meta({ id: 'WebhookNotice' });
export type NoticeView = z.infer<typeof NoticeView>;
