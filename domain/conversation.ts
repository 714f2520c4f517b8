import { z } from 'zod';
import { explained } from './explained.ts';
import { ContactId, ConversationId, MessageId, SessionId } from './ids.ts';
import { Label } from './labels.ts';
import { Target } from './scope.ts';
import { MESSAGE_STATUSES } from './sending/message.ts';

/** The mode says who answers in the conversation: the agent, or a person who has taken it over. */
export const CONVERSATION_MODES = ['bot_active', 'human_takeover'] as const;
export const ConversationMode = z.enum(CONVERSATION_MODES).meta({
  description: explained('Who answers.', {
    bot_active: 'The AI agent, where it is enabled and its persona is active.',
    human_takeover: 'A person; the AI agent says nothing.',
  }),
});
export type ConversationMode = z.infer<typeof ConversationMode>;

/** `in` is a message from a contact; `out` is one from the account's side, whoever wrote it. */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The spec's chat summary, with the engine's ids. */
export const ChatSummary = z
  .object({
    name: z.string().meta({
      description:
        "The contact's or the group's name; digits of the phone number or the chat id where nobody told one.",
    }),
    picture: z
      .string()
      .nullable()
      .meta({
        description:
          'The address of the profile picture: one that stays and needs no key where the engine has stored the picture, ' +
          "else the network's, which works for some days. Null where none is known.",
      }),
    lastMessage: z
      .object({
        body: z.string().meta({ description: 'Its words; empty for a file without a caption.' }),
        timestamp: z.int().meta({ description: 'When it was written, in Unix seconds.' }),
        fromMe: z.boolean().meta({ description: 'True where it was written from the account.' }),
        messageId: MessageId.nullable().meta({ description: 'Its id. Null where only its words are known.' }),
      })
      .nullable()
      .meta({ description: 'The newest message. Null where none is known.' }),
    unreadCount: z.int().meta({
      description:
        'Messages of the contact that no person has read. A reply through the inbox, an answer on the phone, opening the ' +
        'chat there and `POST /conversations/:id/read` lower it; what the API, a bot or the AI agent sends does not.',
    }),
    conversationId: ConversationId,
    chatId: z.string().meta({ description: "The network's name of the chat, such as `4915112345678@c.us`." }),
    contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
    sessionId: SessionId,
    mode: ConversationMode,
    assignedTo: z.string().nullable().meta({
      description: 'The `assignee` who has it. Null where nobody was named, or where the agent has it.',
    }),
    updatedAt: z.iso.datetime().meta({
      description:
        'When somebody last wrote in it, read it or took it over, or its name changed, by the clock of the engine.',
    }),
    labels: z.array(Label).meta({ description: 'The labels of the chat, as the account has put them on it.' }),
  })
  .meta({ id: 'ChatSummary', description: 'A conversation as the list of chats shows it.' });
export type ChatSummary = z.infer<typeof ChatSummary>;

export const AssignConversation = z
  .strictObject({
    ...Target,
    assignee: z.string().min(1).max(128).optional().meta({
      description: "Whose it is now: a name or an id of the dashboard's own, in 1 to 128 characters.",
    }),
    reason: z.string().min(1).max(500).optional().meta({
      description: 'Why, in 1 to 500 characters; it is in the event and in the history.',
    }),
  })
  .meta({ id: 'AssignConversation', description: 'Who gets the conversation, and why.' });

/** AI messages that were on their way when a person took over. */
export const InFlight = z
  .array(
    z.object({
      messageId: MessageId,
      status: z.string().meta({
        enum: [...MESSAGE_STATUSES],
        description: 'Where it stands: `sending`, or what it has become since.',
      }),
    }),
  )
  .meta({ description: 'AI messages that were claimed before this request and may still reach the network.' });

export const Assigned = z
  .object({
    conversationId: ConversationId,
    mode: ConversationMode,
    assignedTo: z
      .string()
      .nullable()
      .meta({ description: 'The `assignee`. Null where nobody was named, or where the agent has it.' }),
    epoch: z.int().meta({ description: 'Grows by one with every change of hands, so that an older one can be told.' }),
    inFlight: InFlight.meta({
      description: 'AI messages that were claimed before the takeover and may still reach the network.',
    }),
  })
  .meta({ id: 'Assigned', description: 'Who has the conversation now.' });
export type Assigned = z.infer<typeof Assigned>;

export const ReadConversation = z
  .strictObject({
    ...Target,
    upTo: MessageId.optional().meta({
      description:
        'The newest message that was shown; what came after it stays unread. All is read where it is left out.',
    }),
    tellNetwork: z.boolean().default(false).meta({
      description: 'Shows the contact that the chat was read, as a phone does. For the whole chat, also with `upTo`.',
    }),
  })
  .meta({ id: 'ReadConversation', description: 'How much was read, and who is told.' });

export const ConversationRead = z
  .object({
    conversationId: ConversationId,
    unreadCount: z.int().meta({ description: 'Messages of the contact that are unread from now on.' }),
    networkTold: z.boolean().meta({
      description: 'With `tellNetwork`: whether the backend has taken it. It is read here all the same.',
    }),
  })
  .meta({ id: 'ConversationRead', description: 'What is unread from now on.' });
