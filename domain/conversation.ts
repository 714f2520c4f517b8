import { z } from 'zod';
import { MessageId } from './ids.ts';

/** The mode says who answers in the conversation: the agent, or a person who has taken it over. */
export const CONVERSATION_MODES = ['bot_active', 'human_takeover'] as const;
export const ConversationMode = z.enum(CONVERSATION_MODES);
export type ConversationMode = z.infer<typeof ConversationMode>;

/** `in` is a message from a contact; `out` is one from the account's side, whoever wrote it. */
export const DIRECTIONS = ['in', 'out'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The spec's chat summary, with the engine's ids. */
export const ChatSummary = z
  .object({
    name: z.string(),
    picture: z.string().nullable(),
    lastMessage: z.object({ body: z.string(), timestamp: z.int(), fromMe: z.boolean() }).nullable(),
    unreadCount: z.int().meta({
      description:
        'Messages of the contact that no person has read. A reply through the inbox, an answer on the phone and ' +
        '`POST /conversations/:id/read` lower it; what the API, a bot or the AI agent sends does not.',
    }),
    conversationId: z.string(),
    chatId: z.string(),
    contactId: z.string().nullable(),
    mode: ConversationMode,
  })
  .meta({ id: 'ChatSummary' });
export type ChatSummary = z.infer<typeof ChatSummary>;

export const AssignConversation = z
  .object({
    assignee: z.string().min(1).max(128).optional(),
    reason: z.string().min(1).max(500).optional(),
  })
  .meta({ id: 'AssignConversation' });

/** AI messages that were on their way when a person took over. */
export const InFlight = z.array(z.object({ messageId: z.string(), status: z.string() }));

export const Assigned = z
  .object({
    conversationId: z.string(),
    mode: ConversationMode,
    assignedTo: z.string().nullable(),
    epoch: z.int(),
    inFlight: InFlight.meta({
      description: 'AI messages that were claimed before the takeover and may still reach the network.',
    }),
  })
  .meta({ id: 'Assigned' });
export type Assigned = z.infer<typeof Assigned>;

export const ReadConversation = z
  .object({
    upTo: MessageId.optional().meta({
      description:
        'The newest message that was shown; what came after it stays unread. All is read where it is left out.',
    }),
    tellNetwork: z.boolean().default(false).meta({
      description: 'Shows the contact that the chat was read, as a phone does. For the whole chat, also with `upTo`.',
    }),
  })
  .meta({ id: 'ReadConversation' });

export const ConversationRead = z
  .object({
    conversationId: z.string(),
    unreadCount: z.int(),
    networkTold: z.boolean().meta({
      description: 'With `tellNetwork`: whether the backend has taken it. It is read here all the same.',
    }),
  })
  .meta({ id: 'ConversationRead' });
