// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Message } from './answered.ts';
import type { LabelOutput } from '../shared/answered-2.ts';
import type { Contact, Turn } from '../shared/answered.ts';

/** A conversation as the list of chats shows it. */
export interface ChatSummary {
  /** The name of the contact or the group. If none is known, the digits of the phone number or the chat id. */
  name: string;
  /** The address of the profile picture. If the engine has stored the picture, the address is permanent and needs no key; otherwise it is the network's, which works for a few days. Null if none is known. */
  picture: string | null;
  /** The newest message. Null if none is known. */
  lastMessage: {
    /** Its text; empty for a file without a caption. */
    body: string;
    /** When it was written, in Unix seconds. */
    timestamp: number;
    /** True if it was written from the account. */
    fromMe: boolean;
    /** Its id. Null if only its text is known. */
    messageId: string | null;
    /** The origin of the message. Null if only its text is known. */
    origin: 'api' | 'person' | 'ai' | 'phone' | 'history' | 'network' | 'passthrough' | 'automation' | null;
    /** The kind of the message. Missing if only its text is known. */
    kind?:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contact'
      | 'other'
      | 'poll'
      | 'call'
      | 'notice'
      | 'buttons'
      | 'list'
      | 'forward';
    /** Missing if the content is there. */
    contentState?: 'waiting' | 'missing';
  } | null;
  /** How many messages of the contact nobody has read or answered. A reply through the inbox, an answer on the phone, opening the chat there, `POST /conversations/:id/read` and a sent answer of the AI agent lower it; what the API, a bot or an automation sends does not. */
  unreadCount: number;
  /** The id of a conversation. */
  conversationId: string;
  /** The network's name of the chat, such as `4915112345678@c.us`. */
  chatId: string;
  /** The contact of the conversation. Null for groups. */
  contactId: string | null;
  /** The id of a session. */
  sessionId: string;
  /** Who answers. */
  mode: 'bot_active' | 'human_takeover';
  /** The `assignee` who has it. Null if nobody was named, or if the agent has it. */
  assignedTo: string | null;
  /** When someone last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
  updatedAt: string;
  /** The labels that the account has put on the chat. */
  labels: LabelOutput[];
  /** When the contact wrote the first message that nobody has answered. A person answers with an accepted reply or on the phone; the agent and the API answer once their message is sent. Automations, bulk messages and an agent that calls a person do not. Null if nobody waits, for groups, and 30 days after their last message. */
  waitingSince: string | null;
}

/** A conversation: who has it, who had it, and its state. */
export interface Conversation {
  /** The name of the contact or the group. If none is known, the digits of the phone number or the chat id. */
  name: string;
  /** The address of the profile picture. If the engine has stored the picture, the address is permanent and needs no key; otherwise it is the network's, which works for a few days. Null if none is known. */
  picture: string | null;
  /** The newest message. Null if none is known. */
  lastMessage: {
    /** Its text; empty for a file without a caption. */
    body: string;
    /** When it was written, in Unix seconds. */
    timestamp: number;
    /** True if it was written from the account. */
    fromMe: boolean;
    /** Its id. Null if only its text is known. */
    messageId: string | null;
    /** The origin of the message. Null if only its text is known. */
    origin: 'api' | 'person' | 'ai' | 'phone' | 'history' | 'network' | 'passthrough' | 'automation' | null;
    /** The kind of the message. Missing if only its text is known. */
    kind?:
      | 'text'
      | 'image'
      | 'video'
      | 'audio'
      | 'document'
      | 'sticker'
      | 'location'
      | 'contact'
      | 'other'
      | 'poll'
      | 'call'
      | 'notice'
      | 'buttons'
      | 'list'
      | 'forward';
    /** Missing if the content is there. */
    contentState?: 'waiting' | 'missing';
  } | null;
  /** How many messages of the contact nobody has read or answered. A reply through the inbox, an answer on the phone, opening the chat there, `POST /conversations/:id/read` and a sent answer of the AI agent lower it; what the API, a bot or an automation sends does not. */
  unreadCount: number;
  /** The id of a conversation. */
  conversationId: string;
  /** The network's name of the chat, such as `4915112345678@c.us`. */
  chatId: string;
  /** The contact of the conversation. Null for groups. */
  contactId: string | null;
  /** The id of a session. */
  sessionId: string;
  /** Who answers. */
  mode: 'bot_active' | 'human_takeover';
  /** The `assignee` who has it. Null if nobody was named, or if the agent has it. */
  assignedTo: string | null;
  /** When someone last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
  updatedAt: string;
  /** The labels that the account has put on the chat. */
  labels: LabelOutput[];
  /** When the contact wrote the first message that nobody has answered. A person answers with an accepted reply or on the phone; the agent and the API answer once their message is sent. Automations, bulk messages and an agent that calls a person do not. Null if nobody waits, for groups, and 30 days after their last message. */
  waitingSince: string | null;
  /** The person, as the account knows them. Null for groups. */
  contact: Contact | null;
  /** Increases by one with every handover, so that you can recognize an older one. */
  epoch: number;
  /** Why the current person has it. Null if no reason was given, or if the agent has it. */
  reason: string | null;
  /** What caused the change. */
  takenOverBy:
    | 'assign'
    | 'reply'
    | 'phone'
    | 'agent'
    | 'model_failed'
    | 'agent_late'
    | 'release'
    | 'auto_return'
    | 'merge'
    | 'unmerge'
    | null;
  /** The last activity of the person who has it. Null if the agent has it. */
  humanActiveAt: string | null;
  /** When it returns to the agent, unless a person does something in it before then. Null if it does not return: because of the persona's `autoReturnHours`, or because the agent has it. */
  returnsAt: string | null;
  /** The last 50 handovers, newest first. They are kept for 90 days. */
  handovers: Handover[];
  /** The agent's last turn in it. Null if it had none. */
  lastTurn: Turn | null;
  /** When the engine first learned of it. */
  createdAt: string;
}

/** A handover: who got a conversation, when and why. */
export interface Handover {
  /** When it happened. */
  at: string;
  /** Who answers. */
  mode: 'bot_active' | 'human_takeover';
  /** What caused the change. */
  cause:
    | 'assign'
    | 'reply'
    | 'phone'
    | 'agent'
    | 'model_failed'
    | 'agent_late'
    | 'release'
    | 'auto_return'
    | 'merge'
    | 'unmerge';
  /** Who got the conversation. Null if nobody was named. */
  assignedTo: string | null;
  /** The reason. Null if none was given. */
  reason: string | null;
  /** Who did it, as the caller named them. Null if unnamed. */
  actor: string | null;
  /** The epoch of the conversation from then on. */
  epoch: number;
}

/** Who has the conversation now. */
export interface Assigned {
  /** The id of a conversation. */
  conversationId: string;
  /** Who answers. */
  mode: 'bot_active' | 'human_takeover';
  /** The `assignee`. Null if nobody was named, or if the agent has it. */
  assignedTo: string | null;
  /** Increases by one with every handover, so that you can recognize an older one. */
  epoch: number;
  /** AI messages that were claimed before the takeover and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** The status: `sending`, or a later one. */
    status:
      | 'scheduled'
      | 'queued'
      | 'sending'
      | 'sent'
      | 'delivered'
      | 'read'
      | 'played'
      | 'failed'
      | 'uncertain'
      | 'cancelled';
  }[];
}

/** What is still unread. */
export interface ConversationRead {
  /** The id of a conversation. */
  conversationId: string;
  /** How many messages of the contact are still unread. */
  unreadCount: number;
  /** With `tellNetwork`: whether the backend has accepted it. The conversation is marked as read in the engine anyway. */
  networkTold: boolean;
}

/** A member of a group. */
export interface Participant {
  /** The address under which the network shows them in the group. */
  chatId: string;
  /** The digits of their phone number. Null if it is not known. */
  phone: string | null;
  /** The contact, if the tenant has talked with them. */
  contactId: string | null;
  /** The contact's name. Null if none is known. */
  name: string | null;
  /** Their role in the group. */
  role: 'participant' | 'admin' | 'superadmin';
  /** True for the session's own account. */
  isMe: boolean;
}

/** The chats that the request has settled. */
export interface OwedSettled {
  /** The requested action. */
  action: 'answer' | 'hand_over';
  /** The conversations that were settled now, the longest wait first. */
  conversationIds: string[];
  /** True if more chats are owed an answer: repeat the request. */
  moreOwed: boolean;
  /** With `answer`: why the agent answers nobody in this tenant now. Null if it does. */
  silence: 'paused' | 'human' | null;
}

export interface ConversationsListMessagesAnswer {
  /** The messages of this page, newest first. */
  messages: Message[];
  /** True if older messages follow after these; newer ones, for a page requested with `after`. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
  /** True if messages newer than those of this page are known. */
  hasNewer: boolean;
  /** The `cursor` for messages newer than this page, including those that are still to come. Null for a page without messages, unless it was requested with such a cursor. */
  newerCursor: string | null;
  /** True while messages are still being fetched: request it again in a few seconds. */
  syncing: boolean;
}

export interface ConversationsListAnswer {
  /** The conversations of this page, newest first. */
  chats: ChatSummary[];
  /** How many chats the session has, all pages together. For a filtered list, how many chats match; 10000 means that many or more. Pages by `cursor` keep the count of the first page. */
  total: number;
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
  /** True while the list is being brought up to date: request it again in a few seconds. */
  syncing: boolean;
}
