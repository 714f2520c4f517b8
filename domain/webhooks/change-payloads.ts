import { z } from 'zod';
import { AnyMessage } from '../sending/message.ts';
import { revokedByField } from '../sending/shown-changes.ts';
import { By, callFields } from '../sending/shown-content.ts';

const { shape } = AnyMessage;

const changed = {
  messageId: shape.messageId,
  conversationId: shape.conversationId,
  contactId: shape.contactId.meta({ description: 'The contact of the message. Null if not known.' }),
  chatId: shape.chatId,
  fromMe: shape.fromMe.meta({ description: 'True if the message was written from the account.' }),
  timestamp: z.int().meta({ description: 'When the engine learned of it, in Unix seconds.' }),
};

export const EditedEventPayload = z.object({
  ...changed,
  body: z.string().meta({ description: 'The new text.' }),
  editedAt: z.iso.datetime().meta({ description: 'When it was edited.' }),
});

export const RevokedEventPayload = z.object({
  ...changed,
  revokedAt: z.iso.datetime().meta({ description: 'When the engine learned of it.' }),
  revokedBy: revokedByField,
});

const by = By.meta({ description: 'The person who did it.' });

export const ReactionEventPayload = z.object({
  ...changed,
  emoji: z.string().nullable().meta({ description: 'The emoji. Null if the reaction was removed.' }),
  by,
  at: z.iso.datetime().meta({ description: 'When it was added or removed.' }),
});

export const PollVoteEventPayload = z.object({
  ...changed,
  options: z.array(z.string()).nullable().meta({
    description:
      'All options that the voter has chosen now. Empty if the vote was withdrawn; null if the backend could not read it.',
  }),
  by,
  at: z.iso.datetime().meta({ description: 'When they were chosen.' }),
});

const { messageId, conversationId, contactId, chatId } = changed;
export const CallEventPayload = z.object({
  messageId,
  conversationId,
  contactId,
  chatId,
  from: z.string().meta({ description: 'The caller: digits of a phone number, else a chat id.' }),
  ...callFields,
  timestamp: z.int().meta({ description: 'When it happened, in Unix seconds.' }),
});

export type ChangeEvent =
  | { event: 'message.edited'; payload: z.infer<typeof EditedEventPayload> }
  | { event: 'message.revoked'; payload: z.infer<typeof RevokedEventPayload> }
  | { event: 'message.reaction'; payload: z.infer<typeof ReactionEventPayload> }
  | { event: 'message.vote'; payload: z.infer<typeof PollVoteEventPayload> }
  | { event: 'call.updated'; payload: z.infer<typeof CallEventPayload> };
