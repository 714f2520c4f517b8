import { z } from 'zod';
import { explained } from './explained.ts';
import { ContactId, ConversationId, MessageId, SessionId } from './ids.ts';
import { Label } from './labels.ts';
import { Target } from './scope.ts';
import { MessageKind } from './sending/message-kind.ts';
import { InFlight, ShownOrigin } from './sending/message.ts';
import { contentFields } from './sending/shown-content.ts';

/** The mode says who answers in the conversation: the agent, or a person who has taken it over. */
export const CONVERSATION_MODES = ['bot_active', 'human_takeover'] as const;
export const ConversationMode = z.enum(CONVERSATION_MODES).meta({
  description: explained('The side that answers.', {
    bot_active: 'The AI agent, if it is enabled and its persona is active.',
    human_takeover: 'A person; the AI agent says nothing.',
  }),
});
export type ConversationMode = z.infer<typeof ConversationMode>;

/** `in` is a message from a contact; `out` is one from the account's side, whoever wrote it. */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** A conversation as its events show it: what can change without it is left out. */
export const MirroredChat = z.object({
  name: z.string().meta({
    description:
      'The name of the contact or the group. If none is known, the digits of the phone number or the chat id.',
  }),
  picture: z
    .string()
    .nullable()
    .meta({
      description:
        "The address of the profile picture. A stored picture has a permanent address; the network's works " +
        'for a few days.\n\nA permanent address needs no key. Null if none is known.',
    }),
  lastMessage: z
    .object({
      body: z.string().meta({ description: 'Its text; empty for a file without a caption.' }),
      timestamp: z.int().meta({ description: 'When it was written, in Unix seconds.' }),
      fromMe: z.boolean().meta({ description: 'True if it was written from the account.' }),
      messageId: MessageId.nullable().meta({ description: 'Its id. Null if only its text is known.' }),
      origin: ShownOrigin.nullable().meta({
        description: 'The origin of the message. Null if only its text is known.',
      }),
      kind: MessageKind.optional().meta({ description: 'The kind of the message. Missing if only its text is known.' }),
      contentState: contentFields.contentState,
    })
    .nullable()
    .meta({ description: 'The newest message. Null if none is known.' }),
  unreadCount: z.int().meta({
    description:
      'How many messages of the contact nobody has read or answered. Reading and answers by people or the ' +
      'agent lower it.\n\nA reply through the inbox, an answer on the phone, opening the chat there, `POST ' +
      '/conversations/:id/read` and a sent answer of the agent lower it. Sends of the API, a bot or an ' +
      'automation do not.',
  }),
  conversationId: ConversationId,
  chatId: z.string().meta({ description: "The network's name of the chat, such as `4915112345678@c.us`." }),
  contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
  sessionId: SessionId,
  mode: ConversationMode,
  assignedTo: z.string().nullable().meta({
    description: 'The `assignee` who has it. Null if nobody was named, or if the agent has it.',
  }),
  updatedAt: z.iso.datetime().meta({
    description:
      'When someone last wrote in it, read it or took it over, or its name changed, by the clock of the engine.',
  }),
  labels: z.array(Label).meta({ description: 'The labels that the account has put on the chat.' }),
});
export type MirroredChat = z.infer<typeof MirroredChat>;

const Actor = z.string().min(1).max(128).optional().meta({
  description: 'The person who requests it: a name or an id, 1 to 128 characters. It is in the history.',
});

export const AssignConversation = z
  .strictObject({
    ...Target,
    actor: Actor,
    assignee: z.string().min(1).max(128).optional().meta({
      description: "The new assignee: a name or an id of the dashboard's own, 1 to 128 characters.",
    }),
    reason: z.string().min(1).max(500).optional().meta({
      description: 'The reason, 1 to 500 characters; it is in the event and in the history.',
    }),
  })
  .meta({ id: 'AssignConversation', description: 'The person who gets the conversation, and the reason.' });

export const ReleaseConversation = z
  .strictObject({
    ...Target,
    actor: Actor,
    reason: z.string().min(1).max(500).optional().meta({
      description: 'The reason, 1 to 500 characters; it is in the history.',
    }),
  })
  .meta({ id: 'ReleaseConversation', description: 'The person who returns the conversation, and the reason.' });

export const Assigned = z
  .object({
    conversationId: ConversationId,
    mode: ConversationMode,
    assignedTo: z
      .string()
      .nullable()
      .meta({ description: 'The `assignee`. Null if nobody was named, or if the agent has it.' }),
    epoch: z
      .int()
      .meta({ description: 'Increases by one with every handover, so that you can recognize an older one.' }),
    inFlight: InFlight.meta({
      description: 'AI messages that were claimed before the takeover and may still reach the network.',
    }),
  })
  .meta({ id: 'Assigned', description: 'The person or agent that has the conversation now.' });
export type Assigned = z.infer<typeof Assigned>;

export const ReadConversation = z
  .strictObject({
    ...Target,
    upTo: MessageId.optional().meta({
      description:
        'The newest message that was shown; messages after it stay unread. If omitted, all messages are marked as ' +
        'read.',
    }),
    needsNoAnswer: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Ends the wait of the chat (`waitingSince`) without an answer. With `upTo`, only messages up to that ' +
          'one count.\n\nUse it after thanks, for example.',
      }),
    tellNetwork: z.boolean().default(false).meta({
      description:
        'Shows the contact that the chat was read, as a phone does. Applies to the whole chat, even with `upTo`.',
    }),
  })
  .meta({ id: 'ReadConversation', description: 'How much was read, and who is notified.' });

export const ConversationRead = z
  .object({
    conversationId: ConversationId,
    unreadCount: z.int().meta({ description: 'How many messages of the contact are still unread.' }),
    networkTold: z.boolean().meta({
      description:
        'With `tellNetwork`: whether the backend has accepted it. The conversation is marked as read in the engine ' +
        'anyway.',
    }),
  })
  .meta({ id: 'ConversationRead', description: 'The remaining unread messages.' });
