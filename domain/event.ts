import { z } from 'zod';
import { Selected } from './content.ts';

/** What dashboards are told without asking for it. Other kinds go only to endpoints that name them. */
export const DEFAULT_EVENTS = ['message', 'message.ack'] as const;

const EVENT_TYPES = [...DEFAULT_EVENTS, 'session.status', 'session.restricted'] as const;

const Metadata = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  eventId: z.string(),
  sequence: z.int().meta({
    description:
      'Gapless per session over the default kinds: a hole means that an event is still on its way. Other kinds bear the number of the last one before them.',
  }),
  sessionId: z.string(),
  conversationId: z.string().nullable(),
  occurredAt: z.iso.datetime(),
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
  kind: z.string(),
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
  status: z.string(),
  ack: z.int(),
  ackName: z.string(),
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

export type EventPayload =
  | { event: 'message'; payload: z.infer<typeof MessageEventPayload> }
  | { event: 'message.ack'; payload: z.infer<typeof AckEventPayload> }
  | { event: 'session.status'; payload: z.infer<typeof SessionEventPayload> }
  | { event: 'session.restricted'; payload: z.infer<typeof RestrictedEventPayload> };

/** The spec's envelope; its bytes are stored once and are the same on every attempt. */
export const EventEnvelope = z.object({
  event: z.enum(EVENT_TYPES),
  payload: z.record(z.string(), z.unknown()),
  metadata: Metadata,
});
export type EventMetadata = z.infer<typeof Metadata>;
