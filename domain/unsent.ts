import { z } from 'zod';
import { MediaView } from './message.ts';
import { MessageText, Target, Timing } from './send.ts';

/** What waits, and what ended without having been sent; what was sent is in the conversation's messages. */
export const UNSENT_STATUSES = ['scheduled', 'queued', 'sending', 'failed', 'uncertain', 'cancelled'] as const;
export type UnsentStatus = (typeof UNSENT_STATUSES)[number];

export const UnsentMessage = z
  .object({
    messageId: z.string(),
    requestId: z.string().nullable(),
    conversationId: z.string(),
    contactId: z.string().nullable(),
    to: z.string(),
    kind: z.string(),
    body: z.string(),
    media: MediaView.nullable(),
    status: z.string(),
    bulk: z.boolean(),
    scheduledFor: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    error: z.object({ code: z.string(), message: z.string().nullable() }).optional(),
  })
  .meta({ id: 'UnsentMessage' });
export type UnsentMessage = z.infer<typeof UnsentMessage>;

export const ChangeMessage = z
  .object({ ...Target, text: MessageText.optional(), ...Timing })
  .meta({ id: 'ChangeMessage', description: 'Fields that are left out stay as they are.' });

export const CancelMessage = z
  .object({
    ...Target,
    wholeRequest: z.boolean().default(false).meta({ description: 'Also what else of its request waits.' }),
  })
  .meta({ id: 'CancelMessage' });

export const CancelledMessages = z
  .object({ messageId: z.string(), status: z.literal('cancelled'), cancelled: z.array(z.string()) })
  .meta({ id: 'CancelledMessages' });

export const ResendMessage = z
  .object({
    ...Target,
    force: z.boolean().default(false).meta({ description: 'Also when it was sent: the contact then gets it twice.' }),
  })
  .meta({ id: 'ResendMessage' });
