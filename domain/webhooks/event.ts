import { z } from 'zod';
import { ConversationMode } from '../conversation.ts';
import { Selected } from '../sending/content.ts';
import { InboundKind, MessageStatus, MessageView } from '../sending/message.ts';

/** The kinds of events that an endpoint gets when it names none. Other kinds go only to endpoints that name them. */
export const DEFAULT_EVENTS = ['message', 'message.ack'] as const;

/**
 * Events about an endpoint. They go to the agency's endpoints that ask for them, which need not include the failing
 * one.
 */
export const ENDPOINT_EVENTS = ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered'] as const;

export const EVENT_TYPES = [
  ...DEFAULT_EVENTS,
  'session.status',
  'session.restricted',
  'conversation.assigned',
  'conversation.released',
  ...ENDPOINT_EVENTS,
  'endpoint.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EventMetadata = z.object({
  agencyId: z.string(),
  tenantId: z.string().nullable().meta({ description: 'Null in events of an endpoint that serves several tenants.' }),
  eventId: z.string(),
  sequence: z.int().meta({
    description:
      'Gapless per session over the default kinds: a hole means that an event is still on its way. Other kinds bear the number of the last one before them.',
  }),
  sessionId: z.string().nullable().meta({ description: 'Null in events of an endpoint.' }),
  conversationId: z.string().nullable(),
  occurredAt: z.iso.datetime(),
  test: z.literal(true).optional().meta({ description: 'Only in events that somebody asked for to try an endpoint.' }),
});

export const MessageEventPayload = z.object({
  body: z.string(),
  timestamp: z.int().meta({ description: 'Unix seconds.' }),
  from: z.string().meta({ description: "The sender's phone digits, else the chat id; `fromKind` says which." }),
  fromKind: z.enum(['phone', 'chat']),
  messageId: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  pushName: z.string().nullable(),
  kind: InboundKind,
  hasMedia: z.boolean(),
  replyTo: z.string().nullable(),
  selected: Selected.nullable().meta({
    description:
      'The option of a message with buttons or a list that was chosen: pressed, or answered by its number or its words where the message went as numbered text.',
  }),
});

export const AckEventPayload = z.object({
  messageId: z.string(),
  conversationId: z.string(),
  to: z.string(),
  status: MessageStatus,
  ack: z.int(),
  ackName: MessageView.shape.ackName,
  reason: z.string().optional().meta({ description: 'Why it failed, was cancelled or is uncertain.' }),
  timestamp: z.int().meta({ description: 'Unix seconds.' }),
});

export const SessionEventPayload = z.object({
  sessionId: z.string(),
  name: z.string(),
  status: z.string(),
  previousStatus: z.string().nullable(),
  timestamp: z.int(),
});

export const RestrictedEventPayload = z.object({
  sessionId: z.string(),
  name: z.string(),
  code: z.string().meta({ description: "The network's word for why." }),
  until: z.iso.datetime().meta({ description: 'Until then nobody new is written to.' }),
  timestamp: z.int(),
});

/** The causes that hand a conversation over, or give it back. */
export const HANDOVER_CAUSES = [
  'assign',
  'reply',
  'phone',
  'agent',
  'model_failed',
  'release',
  'auto_return',
  'merge',
] as const;
export type HandoverCause = (typeof HANDOVER_CAUSES)[number];

export const HandoverEventPayload = z.object({
  conversationId: z.string(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  mode: ConversationMode,
  cause: z.enum(HANDOVER_CAUSES).meta({
    description:
      '`assign` and `release` are the routes, `reply` a person through the API, `phone` a person on the phone, `agent` the ' +
      "model's own decision, a budget that is used up or a program on the other side, `model_failed` that no model answered, " +
      '`auto_return` the end of the time after the last human activity, `merge` that two conversations turned out to be one ' +
      "person's, of which one was a person's already.",
  }),
  mergedFrom: z.string().optional().meta({
    description: 'With the cause `merge`: the conversation that went. Its id leads to `conversationId` from now on.',
  }),
  assignedTo: z.string().nullable(),
  reason: z.string().nullable(),
  epoch: z.int(),
  returnAt: z.iso.datetime().nullable().meta({ description: 'When the agent returns unless a person does something.' }),
  timestamp: z.int().meta({ description: 'Unix seconds.' }),
});

export const EndpointEventPayload = z.object({
  endpointId: z.string(),
  url: z.string(),
  status: z.enum(['active', 'paused', 'disabled']),
  reason: z.string().meta({
    description:
      '`failing_for` with `failingSince`, `events_exhausted`, `gone` (410), `failing_for_days`, `by_request` or `answers_again`.',
  }),
  failingSince: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
  pending: z.int().meta({ description: 'Events that wait for it.' }),
  timestamp: z.int(),
});

export const TestEventPayload = z.object({ endpointId: z.string(), message: z.string(), timestamp: z.int() });

export type EventPayload =
  | { event: 'message'; payload: z.infer<typeof MessageEventPayload> }
  | { event: 'message.ack'; payload: z.infer<typeof AckEventPayload> }
  | { event: 'session.status'; payload: z.infer<typeof SessionEventPayload> }
  | { event: 'session.restricted'; payload: z.infer<typeof RestrictedEventPayload> }
  | { event: 'conversation.assigned' | 'conversation.released'; payload: z.infer<typeof HandoverEventPayload> }
  | { event: (typeof ENDPOINT_EVENTS)[number]; payload: z.infer<typeof EndpointEventPayload> }
  | { event: 'endpoint.test'; payload: z.infer<typeof TestEventPayload> };

/** Stands in an event for a payload that is too large to be posted. */
export const LinkedPayload = z.object({
  payloadUrl: z.url().meta({ description: 'Where the whole event is read, without a key, as long as it is kept.' }),
  sizeBytes: z.int().meta({ description: 'Of the whole event.' }),
  messageId: z.string().optional(),
  conversationId: z.string().optional(),
  contactId: z.string().nullable().optional(),
  sessionId: z.string().optional(),
  chatId: z.string().optional(),
  timestamp: z.int().optional(),
});
export type LinkedPayload = z.infer<typeof LinkedPayload>;

/** The spec's envelope; its bytes are stored once and are the same on every attempt. */
export const EventEnvelope = z.object({
  event: z.enum(EVENT_TYPES),
  payload: z.record(z.string(), z.unknown()),
  metadata: EventMetadata,
});
export type EventMetadata = z.infer<typeof EventMetadata>;
