import { z } from 'zod';
import { ExternalId } from './scope.ts';

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

/** Who caused a message: it decides its lane, its priority and whether a takeover stops it. */
export const MESSAGE_ORIGINS = ['api', 'person', 'ai', 'phone', 'history', 'network'] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];

/** Why a message ended without being sent; the same words in history, API and Temporal. */
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

/** Replies (a person's, the AI's answer) go before automated and bulk sends of the same conversation. */
export const LANES = { reply: 0, bulk: 1 } as const;

const Attachment = z
  .object({
    url: z.url({ protocol: /^https?$/ }),
    kind: z.enum(['image', 'document', 'audio', 'video']),
    mimeType: z.string().max(255).optional(),
    fileName: z.string().max(255).optional(),
    caption: z.string().max(4096).optional(),
  })
  .meta({ id: 'Attachment' });

const RecipientFields = {
  to: z.string().min(1).max(128).optional().meta({ description: 'A phone number or a contactId.' }),
  contactId: z.string().min(1).max(128).optional(),
  chatId: z.string().min(1).max(128).optional().meta({ description: 'A raw chat id of the network.' }),
  conversationId: z.string().min(1).max(128).optional(),
};

/** Known and refused: a message that was meant for later must not go out now. */
const NotYet = {
  sendAt: z.never('is not supported yet: leave it out and send when it is time').optional(),
  expiresAt: z.never('is not supported yet: a message expires after 24 hours').optional(),
};

/** Text is limited to what the network takes in one message. */
const MessageText = z.string().max(65_536);

export const SendMessage = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    session: z.string().min(1).max(160).optional().meta({ description: 'A session id or name of the tenant.' }),
    ...RecipientFields,
    text: MessageText.optional(),
    attachments: z.array(Attachment).max(10).optional(),
    ...NotYet,
  })
  .meta({ id: 'SendMessage' });
export type SendMessage = z.infer<typeof SendMessage>;

export const ReplyToConversation = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    content: MessageText.optional(),
    attachments: z.array(Attachment).max(10).optional(),
    ...NotYet,
    actor: z
      .enum(['person', 'bot'])
      .default('person')
      .meta({ description: "A person's reply takes the conversation over from the AI." }),
  })
  .meta({ id: 'ReplyToConversation' });

export const SendAccepted = z
  .object({
    messageId: z.string(),
    conversationId: z.string(),
    contactId: z.string().nullable(),
    status: MessageStatus,
    messages: z.array(z.object({ messageId: z.string(), kind: z.string(), status: MessageStatus })),
  })
  .meta({ id: 'SendAccepted' });
export type SendAccepted = z.infer<typeof SendAccepted>;

/** A person's reply takes the conversation over, as an assign does. */
export const ReplyAccepted = SendAccepted.extend({
  inFlight: z.array(z.object({ messageId: z.string(), status: z.string() })).meta({
    description:
      'AI messages that were claimed before the reply took the conversation over and may still reach the network.',
  }),
}).meta({ id: 'ReplyAccepted' });

/** The spec's message of the history, with our additions. */
export const MessageView = z
  .object({
    fromMe: z.boolean(),
    to: z.string(),
    body: z.string(),
    timestamp: z.int().meta({ description: 'Unix seconds.' }),
    ack: z.int(),
    ackName: z.string(),
    hasMedia: z.boolean(),
    messageId: z.string(),
    from: z.string(),
    kind: z.string(),
    status: z.string(),
    origin: z.string(),
    media: z
      .object({ url: z.string().nullable(), mimeType: z.string().nullable(), fileName: z.string().nullable() })
      .nullable(),
    mediaUrl: z.string().nullable(),
  })
  .meta({ id: 'Message' });
export type MessageView = z.infer<typeof MessageView>;

const HistoryEntry = z
  .object({
    status: z.string(),
    at: z.iso.datetime(),
    reason: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'MessageHistoryEntry' });

/** The passport of a message: each hop it took and why. */
export const DeliveryStatus = z
  .object({
    messageId: z.string(),
    conversationId: z.string(),
    status: z.string(),
    ack: z.int().nullable(),
    ackName: z.string().nullable(),
    timestamps: z.object({
      queued: z.iso.datetime(),
      sent: z.iso.datetime().nullable(),
      delivered: z.iso.datetime().nullable(),
      read: z.iso.datetime().nullable(),
      played: z.iso.datetime().nullable(),
      ended: z.iso.datetime().nullable(),
    }),
    attempts: z.int(),
    error: z.object({ code: z.string(), message: z.string().nullable() }).optional(),
    history: z.array(HistoryEntry),
    workflowId: z.string().nullable(),
  })
  .meta({ id: 'DeliveryStatus' });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;
