import { z } from 'zod';
import { MessageId } from '../ids.ts';
import { Target } from '../scope.ts';
import { AnyMessage, MessageStatus } from './message.ts';
import { MessageText, Timing } from './send.ts';

const { shape } = AnyMessage;

/**
 * States of messages that wait, or that ended without having been sent. Messages that were sent are listed with their
 * conversation.
 */
export const UNSENT_STATUSES = ['scheduled', 'queued', 'sending', 'failed', 'uncertain', 'cancelled'] as const;
export type UnsentStatus = (typeof UNSENT_STATUSES)[number];

export const UnsentMessage = AnyMessage.pick({
  messageId: true,
  requestId: true,
  groupId: true,
  conversationId: true,
  contactId: true,
  to: true,
  kind: true,
  body: true,
  media: true,
})
  .extend({
    contactId: shape.contactId.meta({ description: 'The contact who is to receive it. Null for groups.' }),
    status: MessageStatus,
    bulk: shape.bulk,
    scheduledFor: shape.scheduledFor,
    expiresAt: shape.expiresAt,
    createdAt: z.iso.datetime().meta({ description: 'When it was accepted.' }),
    heldBy: shape.heldBy.meta({ description: 'The reason for the wait. Null if nothing holds the message.' }),
    heldUntil: shape.heldUntil.meta({ description: 'An estimate of when it goes out, if known.' }),
    error: shape.error,
  })
  .meta({ id: 'UnsentMessage', description: 'A message that waits, or that ended without being sent.' });
export type UnsentMessage = z.infer<typeof UnsentMessage>;

export const ChangeMessage = z
  .strictObject({
    ...Target,
    text: MessageText.optional().meta({
      description: 'The new text; also the text of buttons and lists, and the caption of a file.',
    }),
    ...Timing,
  })
  .refine(({ text, sendAt, expiresAt }) => (text ?? sendAt ?? expiresAt) !== undefined, {
    error: 'changes nothing: send text, sendAt or expiresAt',
  })
  .meta({
    id: 'ChangeMessage',
    description:
      'At least one change; omitted fields stay unchanged. `text` is also the text of buttons and lists and the ' +
      'caption of a file.',
  });

export const CancelMessage = z
  .strictObject({
    ...Target,
    wholeRequest: z
      .boolean()
      .optional()
      .meta({
        description:
          'True also cancels the other waiting messages of the same request. Defaults to true for the first ' +
          "message of a request.\n\nThe first message's id is the `messageId` of the response. For the others it " +
          'defaults to false.',
      }),
  })
  .meta({ id: 'CancelMessage', description: 'How much of the request is cancelled.' });

export const CancelledMessages = z
  .object({
    messageId: MessageId,
    status: z.literal('cancelled').meta({ description: 'It was not handed to the backend and never will be.' }),
    cancelled: z.array(MessageId).meta({ description: 'Every message that was cancelled, including this one.' }),
  })
  .meta({ id: 'CancelledMessages', description: 'The cancelled messages.' });

export const ResendMessage = z
  .strictObject({
    ...Target,
    force: z.boolean().default(false).meta({
      description: 'True resends it even if it was sent, or was already sent again: the contact may get it twice.',
    }),
  })
  .meta({ id: 'ResendMessage', description: 'Whether a second copy is intended.' });
