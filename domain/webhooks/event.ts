import { z } from 'zod';
import type { ContactEventPayload } from '../contact.ts';
import { ConversationMode } from '../conversation.ts';
import { explained } from '../explained.ts';
import { ContactId, ConversationId, EndpointId, EventId, MessageId, SessionId } from '../ids.ts';
import { SessionState } from '../sessions/session.ts';
import { NewChats } from '../sessions/new-chats.ts';
import { CHANGE_REASON_TEXTS } from '../sessions/change.ts';
import type { SyncEventPayload } from '../sessions/sync-view.ts';
import { END_REASON_TEXTS, END_REASONS } from '../sending/reasons.ts';
import { Label } from '../labels.ts';
import { contentFields } from '../sending/shown-content.ts';
import { InboundKind } from '../sending/message-kind.ts';
import { AnyMessage, MediaView, MessageStatus } from '../sending/message.ts';
import type { AutomationEvent } from './automation-events.ts';
import type { ChangeEvent } from './change-payloads.ts';
import type { ContactMergedPayload, ContactUnmergedPayload } from './contact-events.ts';
import type { ContactErasedPayload } from './erased-events.ts';
import type { GroupEventPayload } from './group-payload.ts';
import type { ConversationEventPayload, DeletedMessagePayload, MirroredMessagePayload } from './mirror-events.ts';
import type { RecoveredEventPayload, SilentEventPayload } from './silence-events.ts';

/** The kinds of events that an endpoint gets when it names none. Other kinds go only to endpoints that name them. */
export const DEFAULT_EVENTS = ['message', 'message.ack'] as const;

/** Events about an endpoint. They go to the agency's endpoints that ask for them, perhaps not to the failing one. */
export const ENDPOINT_EVENTS = ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered'] as const;

export const EVENT_TYPES = [
  ...DEFAULT_EVENTS,
  'message.media',
  'message.any',
  'message.updated',
  'message.deleted',
  'message.edited',
  'message.revoked',
  'message.reaction',
  'message.vote',
  'call.updated',
  'session.status',
  'session.restricted',
  'session.quota',
  'session.silent',
  'session.recovered',
  'sync.progress',
  'conversation.assigned',
  'conversation.released',
  'conversation.labelled',
  'conversation.updated',
  'contact.updated',
  'contact.merged',
  'contact.unmerged',
  'contact.erased',
  'group.updated',
  'automation.started',
  'automation.completed',
  'automation.failed',
  ...ENDPOINT_EVENTS,
  'endpoint.test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const EventMetadata = z
  .object({
    agencyId: z.string().meta({ description: 'The agency that the event belongs to.' }),
    tenantId: z.string().nullable().meta({ description: 'Null in events about an endpoint of several tenants.' }),
    eventId: EventId.meta({ description: "The event's id, the same at every attempt and in every resend." }),
    sequence: z.int().meta({
      description:
        'Gapless per session over the default event types: a gap means that an event is still being sent. Other types have the number of the last one before them.',
    }),
    sessionId: z.string().nullable().meta({ description: 'Null in events about an endpoint.' }),
    conversationId: ConversationId.nullable().meta({ description: 'The conversation of the event. Null if none.' }),
    occurredAt: z.iso.datetime().meta({ description: 'When it happened.' }),
    test: z.literal(true).optional().meta({ description: 'Only in events requested to test an endpoint.' }),
  })
  .meta({ id: 'EventMetadata', description: "The event's owner, id and position." });

const { shape } = AnyMessage;

export const MessageEventPayload = z.object({
  body: shape.body.meta({ description: 'The text of the message. Empty for a file without a caption.' }),
  timestamp: shape.timestamp.meta({ description: 'When the message was written, in Unix seconds.' }),
  from: shape.from.meta({ description: "The sender's phone number (digits only) or chat id; see `fromKind`." }),
  fromKind: z
    .enum(['phone', 'chat'])
    .meta({ description: 'Whether `from` is the digits of a phone number or a chat id.' }),
  messageId: shape.messageId,
  conversationId: shape.conversationId,
  contactId: shape.contactId.meta({ description: 'The contact who wrote it. Null if not known.' }),
  chatId: shape.chatId,
  pushName: z.string().nullable().meta({ description: 'The name that the sender shows to others.' }),
  kind: InboundKind,
  hasMedia: shape.hasMedia.meta({ description: 'True if the message has a file.' }),
  media: shape.media,
  mediaUrl: shape.mediaUrl,
  replyTo: shape.replyTo.meta({ description: 'The messageId that it quotes. Null if it quotes none.' }),
  selected: shape.selected.meta({
    description:
      'The chosen option of buttons or a list. A number or text counts for a message that was sent as ' +
      'numbered text.',
  }),
  recovered: z.literal(true).optional().meta({
    description: 'Only if the backend did not report the message in time and the engine fetched it; it may be old.',
  }),
  history: z
    .literal(true)
    .optional()
    .meta({
      description:
        "Only in messages of an account's history, if a request asked for their events. They may be years " + 'old.',
    }),
  ...contentFields,
});

export const MediaEventPayload = z.object({
  messageId: shape.messageId,
  conversationId: shape.conversationId,
  contactId: shape.contactId.meta({ description: 'The contact who sent it. Null if not known.' }),
  media: MediaView.meta({ description: 'The state of the file.' }),
  mediaUrl: shape.mediaUrl,
  timestamp: z.int().meta({ description: 'When that became known, in Unix seconds.' }),
});

export const AckEventPayload = z.object({
  messageId: shape.messageId,
  conversationId: shape.conversationId,
  to: shape.to.meta({ description: 'The recipient: digits of a phone number, else a chat id.' }),
  status: MessageStatus,
  ack: shape.ack,
  ackName: shape.ackName,
  reason: z
    .string()
    .optional()
    .meta({
      enum: [...END_REASONS],
      description: explained('Why it failed, was cancelled or is uncertain. Missing otherwise.', END_REASON_TEXTS),
    }),
  timestamp: z.int().meta({ description: 'When it reached this state, in Unix seconds.' }),
});

export const SessionEventPayload = z.object({
  sessionId: SessionId,
  name: z.string().meta({ description: "The session's name at the backend." }),
  status: SessionState,
  previousStatus: SessionState.nullable().meta({ description: 'The previous status. Null if there was none.' }),
  reason: z
    .string()
    .nullable()
    .meta({
      enum: [...Object.keys(CHANGE_REASON_TEXTS), null],
      description: explained('The reason, if known.', CHANGE_REASON_TEXTS),
    }),
  since: z.iso.datetime().meta({ description: 'Since when it has this status, as in the session.' }),
  timestamp: z.int().meta({ description: 'When it changed, in Unix seconds.' }),
});

export const RestrictedEventPayload = z.object({
  sessionId: SessionId,
  name: z.string().meta({ description: "The session's name at the backend." }),
  code: z.string().meta({ description: "The network's code for the reason." }),
  until: z.iso.datetime().meta({ description: 'Until then, the engine does not write to new contacts.' }),
  timestamp: z.int().meta({ description: 'When the network said so, in Unix seconds.' }),
});

export const QuotaEventPayload = NewChats.extend({
  sessionId: SessionId,
  name: z.string().meta({ description: "The session's name at the backend." }),
  firstContactsPerDay: z
    .int()
    .nullable()
    .meta({ description: 'How many new contacts the engine writes to each day from now on. Null without a warning.' }),
  timestamp: z.int().meta({ description: 'When the engine saw the step, in Unix seconds.' }),
});

/** The causes that hand a conversation over, or give it back. */
const HANDOVER_CAUSES = [
  'assign',
  'reply',
  'phone',
  'agent',
  'model_failed',
  'agent_late',
  'release',
  'auto_return',
  'merge',
  'unmerge',
] as const;
export const HandoverCause = z.enum(HANDOVER_CAUSES).meta({
  description: explained('The cause of the change.', {
    assign: 'The route that assigns.',
    reply: 'A person replied through the API.',
    phone: 'A person answered on the phone.',
    agent: "The AI agent's own decision, a used-up budget, or a program on the other side.",
    model_failed: 'No model answered.',
    agent_late:
      'The engine could not answer in time, or a reply of the agent failed. The `reason` is `agent_late`, ' +
      '`reply_expired` or `reply_failed`.',
    release: 'The route that releases.',
    auto_return: 'The time after the last human activity is over.',
    merge: "Two conversations turned out to be the same person's, and a person had one of them.",
    unmerge: 'Such a merge was undone; each conversation has its former owner again.',
  }),
});
export type HandoverCause = z.infer<typeof HandoverCause>;

export const HandoverEventPayload = z.object({
  conversationId: ConversationId,
  contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
  chatId: z.string().meta({ description: "The chat's id on the network." }),
  mode: ConversationMode,
  cause: HandoverCause,
  mergedFrom: z.string().optional().meta({
    description:
      'With the cause `merge`: the conversation that was merged. From now on, its id leads to `conversationId`.',
  }),
  assignedTo: z
    .string()
    .nullable()
    .meta({ description: 'The person who has it now, as the request said. Null if unnamed.' }),
  reason: z.string().nullable().meta({ description: 'The reason, in the words of who or what handed it over.' }),
  epoch: z.int().meta({ description: 'Increases by one each time the conversation changes hands.' }),
  returnAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the agent returns, unless a person does something.' }),
  timestamp: z.int().meta({ description: 'When it changed, in Unix seconds.' }),
});

export const LabelledEventPayload = z.object({
  conversationId: ConversationId,
  contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
  chatId: z.string().meta({ description: "The chat's id on the network." }),
  labels: z.array(Label).meta({ description: 'All labels that the chat has now.' }),
  timestamp: z.int().meta({ description: 'When the engine learned of it, in Unix seconds.' }),
});

/** The reasons for which an agency is told of an endpoint. */
export const ENDPOINT_REASON_TEXTS = {
  failing_for: 'It has failed since `failingSince`.',
  events_exhausted: 'Events for it have used up their attempts.',
  gone: 'It returned 410.',
  failing_for_days: 'It has failed for five days.',
  by_request: 'It was requested.',
  answers_again: 'It works again.',
} as const;

export const EndpointEventPayload = z.object({
  endpointId: EndpointId,
  url: z.string().meta({ description: "The endpoint's URL." }),
  status: z.enum(['active', 'paused', 'disabled']).meta({
    description: 'Whether events are sent to it. A paused or disabled endpoint keeps its events until it is resumed.',
  }),
  reason: z.string().meta({
    enum: Object.keys(ENDPOINT_REASON_TEXTS),
    description: explained('The reason for this event.', ENDPOINT_REASON_TEXTS),
  }),
  failingSince: z.iso.datetime().nullable().meta({ description: 'When it began to fail. Null once it is healthy.' }),
  lastError: z
    .string()
    .nullable()
    .meta({ description: 'The class of the last failed attempt. Null once it is healthy.' }),
  pending: z.int().meta({ description: 'Events that wait for the endpoint.' }),
  timestamp: z.int().meta({ description: 'When this was reported, in Unix seconds.' }),
});

export const TestEventPayload = z.object({
  endpointId: EndpointId,
  message: z.string().meta({ description: 'A note for the reader.' }),
  timestamp: z.int().meta({ description: 'When it was requested, in Unix seconds.' }),
});

export type EventPayload =
  | { event: 'message'; payload: z.infer<typeof MessageEventPayload> }
  | { event: 'message.ack'; payload: z.infer<typeof AckEventPayload> }
  | { event: 'message.media'; payload: z.infer<typeof MediaEventPayload> }
  | { event: 'message.any' | 'message.updated'; payload: MirroredMessagePayload }
  | { event: 'message.deleted'; payload: DeletedMessagePayload }
  | ChangeEvent
  | { event: 'session.status'; payload: z.infer<typeof SessionEventPayload> }
  | { event: 'session.restricted'; payload: z.infer<typeof RestrictedEventPayload> }
  | { event: 'session.quota'; payload: z.infer<typeof QuotaEventPayload> }
  | { event: 'session.silent'; payload: z.infer<typeof SilentEventPayload> }
  | { event: 'session.recovered'; payload: z.infer<typeof RecoveredEventPayload> }
  | { event: 'sync.progress'; payload: z.infer<typeof SyncEventPayload> }
  | { event: 'conversation.assigned' | 'conversation.released'; payload: z.infer<typeof HandoverEventPayload> }
  | { event: 'conversation.labelled'; payload: z.infer<typeof LabelledEventPayload> }
  | { event: 'conversation.updated'; payload: ConversationEventPayload }
  | { event: 'contact.updated'; payload: z.infer<typeof ContactEventPayload> }
  | { event: 'contact.merged'; payload: z.infer<typeof ContactMergedPayload> }
  | { event: 'contact.unmerged'; payload: z.infer<typeof ContactUnmergedPayload> }
  | { event: 'contact.erased'; payload: z.infer<typeof ContactErasedPayload> }
  | { event: 'group.updated'; payload: z.infer<typeof GroupEventPayload> }
  | AutomationEvent
  | { event: (typeof ENDPOINT_EVENTS)[number]; payload: z.infer<typeof EndpointEventPayload> }
  | { event: 'endpoint.test'; payload: z.infer<typeof TestEventPayload> };

/** Stands in an event for a payload that is too large to be posted. */
export const LinkedPayload = z
  .object({
    payloadUrl: z.url().meta({ description: 'The address of the whole event, without a key, as long as it is kept.' }),
    sizeBytes: z.int().meta({ description: 'The size of the whole event.' }),
    messageId: MessageId.optional(),
    conversationId: ConversationId.optional(),
    contactId: ContactId.nullable().optional().meta({ description: 'The contact, if the event names one.' }),
    sessionId: SessionId.optional(),
    chatId: z.string().optional().meta({ description: "The chat's id on the network." }),
    timestamp: z.int().optional().meta({ description: 'When it happened, in Unix seconds.' }),
  })
  .meta({ id: 'LinkedPayload', description: 'Replaces a payload that is too large to be posted.' });
export type LinkedPayload = z.infer<typeof LinkedPayload>;

/** The spec's envelope; its bytes are stored once and are the same on every attempt. */
export const EventEnvelope = z.object({
  event: z.enum(EVENT_TYPES),
  payload: z.record(z.string(), z.unknown()),
  metadata: EventMetadata,
});
export type EventMetadata = z.infer<typeof EventMetadata>;
