import { z } from 'zod';
import { AckName } from '../network/ack.ts';
import { NETWORK_KINDS } from '../network/network-event.ts';
import { Buttons, List, Selected } from './content.ts';
import { Plan, PLAN_RULES } from './plan.ts';

export const MESSAGE_STATUSES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'read',
  'played',
  'failed',
  'uncertain',
  'cancelled',
] as const;

export const MessageStatus = z.enum(MESSAGE_STATUSES).meta({
  description: 'Where the message stands; every change is a row in its history.',
});
export type MessageStatus = z.infer<typeof MessageStatus>;

/**
 * The states of all messages in a chat: our sends have those of `MESSAGE_STATUSES`; messages of others are `received`
 * and stay so.
 */
export const CHAT_STATUSES = [...MESSAGE_STATUSES, 'received'] as const;
export type ChatStatus = (typeof CHAT_STATUSES)[number];
const ChatStatus = z.enum(CHAT_STATUSES).meta({
  description: 'Where the message stands; `received` for what the contact has written.',
});

export const InboundKind = z.enum(NETWORK_KINDS);

/** The kinds of messages that the network shows, and the two kinds that only we send. */
export const MESSAGE_KINDS = [...NETWORK_KINDS, 'buttons', 'list'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];
export const MessageKind = z.enum(MESSAGE_KINDS);

/** The origins of messages. An origin decides the lane, the priority and whether a takeover stops the message. */
export const MESSAGE_ORIGINS = ['api', 'person', 'ai', 'phone', 'history', 'network'] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];
export const MessageOrigin = z.enum(MESSAGE_ORIGINS).meta({
  description:
    'Who wrote it: `network` the contact; ours by `api`, a `person` in a dashboard, the agent (`ai`), somebody on the `phone`, ' +
    'or from before the session was connected (`history`, which is also what contacts wrote then).',
});

const SENT_BY_ENGINE: ReadonlySet<string> = new Set<MessageOrigin>(['api', 'person', 'ai']);

/** True for messages that go through the engine: a workflow delivers them, and their id was told to a dashboard. */
export function isSentByEngine(origin: MessageOrigin): boolean {
  return SENT_BY_ENGINE.has(origin);
}

/** The reasons why a message ended without being sent. History, API and Temporal use these same words. */
export const END_REASONS = [
  'expired',
  'taken_over',
  'ai_paused',
  'not_on_network',
  'restricted',
  'backend_refused',
  'network_error',
  'outcome_unknown',
  'cancelled_by_request',
  'text_failed',
  'media_unavailable',
  'media_too_large',
  'media_type_refused',
  'resolved_by_operator',
] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The meaning of each reason, for messages of which nothing more is known. */
const REASON_TEXTS: Readonly<Record<EndReason, string>> = {
  expired: 'It waited until it was worthless.',
  taken_over: 'The AI agent had written it, and a person took the conversation over.',
  ai_paused: 'The AI agent had written it, and was switched off.',
  not_on_network: 'The number has no account on the network.',
  restricted: 'The network does not let the account write to people who have not written to it.',
  backend_refused: 'The backend answered that it does not send this.',
  network_error: 'The network reported an error for it.',
  outcome_unknown: 'Nothing showed whether it went out: look into the chat and resolve it.',
  cancelled_by_request: 'It was cancelled before it went out.',
  text_failed: 'The text that it belongs to was not sent.',
  media_unavailable: 'Its file could not be fetched.',
  media_too_large: 'Its file is larger than what is sent.',
  media_type_refused: 'Its file is of a type that is not sent.',
  resolved_by_operator: 'It was uncertain, and somebody said that it did not arrive.',
};

export function reasonText(code: string): string | null {
  const reason = END_REASONS.find((known) => known === code);
  return reason ? REASON_TEXTS[reason] : null;
}

/** Replies of a person or of the AI go before automated and bulk sends of their conversation. */
export const LANES = { reply: 0, bulk: 1 } as const;

export const RENDERINGS = ['native', 'text'] as const;
export const RenderedAs = z.enum(RENDERINGS).meta({
  description: "Whether the session's engine shows buttons and lists as they are, or as numbered text.",
});

/** Says why a message was not sent, or that nobody knows whether it was. */
export const MessageError = z
  .object({
    code: z.string().meta({ enum: [...END_REASONS] }),
    message: z
      .string()
      .nullable()
      .meta({ description: 'In words; what is known of this one, else what the code means.' }),
  })
  .meta({ id: 'MessageError', description: 'Why it was not sent, or may not have been.' });

/** A message's file as far as it is known; `url` is the engine's own once it has the file. */
export const MediaView = z.object({
  url: z.string().nullable(),
  mimeType: z.string().nullable(),
  fileName: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  error: z.string().optional(),
});

/** A message in a conversation's history: the fields of the API's specification, with our additions. */
export const MessageView = z
  .object({
    fromMe: z.boolean(),
    to: z.string(),
    body: z.string(),
    timestamp: z.int().meta({ description: 'Unix seconds.' }),
    ack: z.int(),
    ackName: AckName,
    hasMedia: z.boolean(),
    messageId: z.string(),
    from: z.string(),
    kind: MessageKind,
    status: ChatStatus,
    origin: MessageOrigin,
    media: MediaView.nullable(),
    mediaUrl: z.string().nullable(),
    replyTo: z.string().nullable().meta({ description: 'The messageId that it quotes, where that is known.' }),
    mentions: z.array(z.string()).meta({ description: 'Chat ids of the people whom our text names.' }),
    buttons: Buttons.nullable(),
    list: List.nullable(),
    selected: Selected.nullable().meta({ description: 'What the person has chosen with it.' }),
    renderedAs: RenderedAs.nullable(),
    error: MessageError.optional(),
  })
  .meta({ id: 'Message' });
export type MessageView = z.infer<typeof MessageView>;

const HistoryEntry = z
  .object({
    status: MessageStatus,
    at: z.iso.datetime(),
    reason: z.string().nullable(),
    detail: z.string().nullable(),
    actor: z.string().nullable().meta({ description: 'Who did it, where it was not the engine by itself.' }),
    keyId: z
      .string()
      .nullable()
      .meta({ description: 'The API key that asked, where `actor` is what its holder says.' }),
  })
  .meta({ id: 'MessageHistoryEntry' });

/** The passport of a message: each state that it went through, and why. */
export const DeliveryStatus = z
  .object({
    messageId: z.string(),
    conversationId: z.string(),
    sessionId: z.string(),
    to: z.string().meta({ description: 'Digits of a phone, else the chat id.' }),
    body: z.string(),
    replyTo: z.string().nullable().meta({ description: 'The messageId that it quotes.' }),
    requestId: z.string().nullable().meta({ description: 'The first message of a request that became several.' }),
    kind: MessageKind,
    status: ChatStatus,
    bulk: z.boolean(),
    resendOf: z.string().nullable(),
    scheduledFor: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    plan: Plan.optional().meta({ description: 'While it waits: when it is likely to go out.' }),
    heldBy: z.enum(PLAN_RULES).nullable().meta({ description: 'What it waits for, or last waited for.' }),
    heldUntil: z.iso.datetime().nullable(),
    renderedAs: RenderedAs.nullable(),
    media: MediaView.nullable(),
    ack: z.int().nullable(),
    ackName: AckName.nullable(),
    timestamps: z.object({
      queued: z.iso.datetime(),
      sent: z.iso.datetime().nullable(),
      delivered: z.iso.datetime().nullable(),
      read: z.iso.datetime().nullable(),
      played: z.iso.datetime().nullable(),
      ended: z.iso.datetime().nullable(),
    }),
    attempts: z.int(),
    error: MessageError.optional(),
    history: z.array(HistoryEntry),
    workflowId: z.string().nullable(),
  })
  .meta({ id: 'DeliveryStatus' });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;
