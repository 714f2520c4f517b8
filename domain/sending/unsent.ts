import { z } from 'zod';
import { MediaView, MessageError, MessageKind, MessageStatus } from './message.ts';
import { MessageText, Target, Timing } from './send.ts';

/**
 * States of messages that wait, or that ended without having been sent. Messages that were sent are listed with their
 * conversation.
 */
export const UNSENT_STATUSES = ['scheduled', 'queued', 'sending', 'failed', 'uncertain', 'cancelled'] as const;
export type UnsentStatus = (typeof UNSENT_STATUSES)[number];

export const UnsentMessage = z
  .object({
    messageId: z.string(),
    requestId: z.string().nullable(),
    conversationId: z.string(),
    contactId: z.string().nullable(),
    to: z.string(),
    kind: MessageKind,
    body: z.string(),
    media: MediaView.nullable(),
    status: MessageStatus,
    bulk: z.boolean(),
    scheduledFor: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    error: MessageError.optional(),
  })
  .meta({ id: 'UnsentMessage' });
export type UnsentMessage = z.infer<typeof UnsentMessage>;

export const ChangeMessage = z
  .strictObject(
    { ...Target, text: MessageText.optional(), ...Timing },
    {
      error: ({ code }) =>
        code === 'unrecognized_keys' ? 'cannot be changed: text, sendAt and expiresAt can' : undefined,
    },
  )
  .refine(({ text, sendAt, expiresAt }) => (text ?? sendAt ?? expiresAt) !== undefined, {
    error: 'names nothing to change: give text, sendAt or expiresAt',
  })
  .meta({
    id: 'ChangeMessage',
    description:
      'At least one change; what is left out stays as it is. `text` is also the words of buttons and lists and the caption of a file.',
  });

export const CancelMessage = z
  .strictObject({
    ...Target,
    wholeRequest: z.boolean().optional().meta({
      description:
        'Also what else of its request waits. When left out: true for the first message of a request, whose id is the `messageId` of its answer, and false for the others.',
    }),
  })
  .meta({ id: 'CancelMessage' });

export const CancelledMessages = z
  .object({ messageId: z.string(), status: z.literal('cancelled'), cancelled: z.array(z.string()) })
  .meta({ id: 'CancelledMessages' });

export const ResendMessage = z
  .strictObject({
    ...Target,
    force: z
      .boolean()
      .default(false)
      .meta({ description: 'Also when it was sent, or was sent again already: the contact may get it twice.' }),
  })
  .meta({ id: 'ResendMessage' });
