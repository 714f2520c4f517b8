import { z } from 'zod';
import { MirroredChat } from '../conversation.ts';
import { ConversationId } from '../ids.ts';
import { AnyMessage, MessageView } from '../sending/message.ts';

/**
 * The events of dashboards that keep a copy of the inbox. They are written only where somebody asks for them: an
 * endpoint, or readers who pull (`PUT /api/v1/webhooks/mirror`).
 */
export const MIRROR_EVENTS = ['message.any', 'message.updated', 'message.deleted', 'conversation.updated'] as const;

const { shape } = AnyMessage;

const revision = z.int().meta({
  description:
    'If two events are about the same thing, the one with the higher revision shows the later state, whichever arrives first.',
});

export const MirroredMessagePayload = MessageView.extend({
  sessionId: shape.sessionId,
  conversationId: shape.conversationId.meta({
    description:
      'The conversation that it is in. The id of a merged conversation leads there, as `mergedInto` of `conversation.updated` says.',
  }),
  contactId: shape.contactId,
  chatId: shape.chatId,
  revision,
  history: z
    .literal(true)
    .optional()
    .meta({ description: "Only in messages from the account's history that a history run imported." }),
});
export type MirroredMessagePayload = z.infer<typeof MirroredMessagePayload>;

export const DeletedMessagePayload = z.object({
  sessionId: shape.sessionId,
  conversationId: shape.conversationId.meta({ description: 'The conversation that it was in.' }),
  messageId: shape.messageId.meta({ description: 'The deleted message. No list shows it any more.' }),
  revision,
  timestamp: z.int().meta({ description: 'When this was reported, in Unix seconds.' }),
});
export type DeletedMessagePayload = z.infer<typeof DeletedMessagePayload>;

export const ConversationEventPayload = MirroredChat.extend({
  epoch: z.int().meta({ description: 'Increases by one each time the conversation changes hands.' }),
  reason: z.string().nullable().meta({
    description: 'Why a person has the conversation. Null if nobody gave a reason, or if the agent has it.',
  }),
  returnsAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When it returns to the agent, unless a person does something in it before then.' }),
  mergedInto: ConversationId.nullable().meta({
    description:
      'The conversation that this one was merged into, with its messages; from then on, no list shows this one. Null if it was not merged.',
  }),
  revision,
  timestamp: z.int().meta({ description: 'When this was the state, in Unix seconds.' }),
});
export type ConversationEventPayload = z.infer<typeof ConversationEventPayload>;
