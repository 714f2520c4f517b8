import { z } from 'zod';
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

export const RenderedAs = z.enum(['native', 'text']).meta({
  description: "Whether the session's engine shows buttons and lists as they are, or as numbered text.",
});

/** What is known of a message's file; `url` is the engine's own, once it has the file. */
export const MediaView = z.object({
  url: z.string().nullable(),
  mimeType: z.string().nullable(),
  fileName: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  sha256: z.string().nullable(),
  error: z.string().optional(),
});

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
    media: MediaView.nullable(),
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
    actor: z.string().nullable().meta({ description: 'Who did it, where it was not the engine by itself.' }),
  })
  .meta({ id: 'MessageHistoryEntry' });

/** The passport of a message: each hop it took and why. */
export const DeliveryStatus = z
  .object({
    messageId: z.string(),
    conversationId: z.string(),
    requestId: z.string().nullable().meta({ description: 'The first message of a request that became several.' }),
    kind: z.string(),
    status: z.string(),
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
