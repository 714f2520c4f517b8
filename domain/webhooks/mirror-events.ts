import { z } from 'zod';
import { ChatSummary } from '../conversation.ts';
import { ContactId, ConversationId, MessageId, SessionId } from '../ids.ts';
import { MessageView } from '../sending/message.ts';

/**
 * The events of dashboards that keep a copy of the inbox. They are written only where somebody asks for them: an
 * endpoint, or readers who pull (`PUT /api/v1/webhooks/mirror`).
 */
export const MIRROR_EVENTS = ['message.any', 'message.updated', 'message.deleted', 'conversation.updated'] as const;

const revision = z.int().meta({
  description:
    'Of two events about the same thing the one with the higher revision shows the later state, whichever comes first.',
});

export const MirroredMessagePayload = MessageView.extend({
  sessionId: SessionId,
  conversationId: ConversationId.meta({
    description:
      'The conversation that it is in. One that was merged into another leads there, as `mergedInto` of `conversation.updated` says.',
  }),
  contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
  chatId: z.string().meta({ description: "The network's name of the chat." }),
  revision,
  history: z
    .literal(true)
    .optional()
    .meta({ description: 'Only in messages of the past, which a reading of the history has brought.' }),
});
export type MirroredMessagePayload = z.infer<typeof MirroredMessagePayload>;

export const DeletedMessagePayload = z.object({
  sessionId: SessionId,
  conversationId: ConversationId.meta({ description: 'The conversation that it was in.' }),
  messageId: MessageId.meta({ description: 'The message, of which nothing is kept any more.' }),
  revision,
  timestamp: z.int().meta({ description: 'When it was told, in Unix seconds.' }),
});
export type DeletedMessagePayload = z.infer<typeof DeletedMessagePayload>;

export const ConversationEventPayload = ChatSummary.extend({
  epoch: z.int().meta({ description: 'Grows by one with every change of hands.' }),
  reason: z.string().nullable().meta({
    description: 'Why the person has it who has it. Null where nobody said, or where the agent has it.',
  }),
  returnsAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When it returns to the agent, unless a person does something in it before.' }),
  mergedInto: ConversationId.nullable().meta({
    description:
      'The conversation that this one went into, with its messages. It is in no list from then on. Null while it is one of its own.',
  }),
  revision,
  timestamp: z.int().meta({ description: 'When this was so, in Unix seconds.' }),
});
export type ConversationEventPayload = z.infer<typeof ConversationEventPayload>;
