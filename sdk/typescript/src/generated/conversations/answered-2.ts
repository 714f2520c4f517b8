// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Message } from './answered.ts';
import type { LabelOutput } from '../shared/answered-2.ts';
import type { Contact, Turn } from '../shared/answered.ts';

/** A conversation as the list of chats shows it. */
export interface ChatSummary {
  /** The contact's or the group's name; digits of the phone number or the chat id where nobody told one. */
  name: string;
  /** The address of the profile picture: one that stays and needs no key where the engine has stored the picture, else the network's, which works for some days. Null where none is known. */
  picture: string | null;
  /** The newest message. Null where none is known. */
  lastMessage: {
    /** Its words; empty for a file without a caption. */
    body: string;
    /** When it was written, in Unix seconds. */
    timestamp: number;
    /** True where it was written from the account. */
    fromMe: boolean;
    /** Its id. Null where only its words are known. */
    messageId: string | null;
  } | null;
  /** Messages of the contact that no person has read. A reply through the inbox, an answer on the phone, opening the chat there and `POST /conversations/:id/read` lower it; what the API, a bot or the AI agent sends does not. */
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
  /** The `assignee` who has it. Null where nobody was named, or where the agent has it. */
  assignedTo: string | null;
  /** When somebody last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
  updatedAt: string;
  /** The labels of the chat, as the account has put them on it. */
  labels: LabelOutput[];
}

/** A conversation: who has it, who had it, and how it stands. */
export interface Conversation {
  /** The contact's or the group's name; digits of the phone number or the chat id where nobody told one. */
  name: string;
  /** The address of the profile picture: one that stays and needs no key where the engine has stored the picture, else the network's, which works for some days. Null where none is known. */
  picture: string | null;
  /** The newest message. Null where none is known. */
  lastMessage: {
    /** Its words; empty for a file without a caption. */
    body: string;
    /** When it was written, in Unix seconds. */
    timestamp: number;
    /** True where it was written from the account. */
    fromMe: boolean;
    /** Its id. Null where only its words are known. */
    messageId: string | null;
  } | null;
  /** Messages of the contact that no person has read. A reply through the inbox, an answer on the phone, opening the chat there and `POST /conversations/:id/read` lower it; what the API, a bot or the AI agent sends does not. */
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
  /** The `assignee` who has it. Null where nobody was named, or where the agent has it. */
  assignedTo: string | null;
  /** When somebody last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
  updatedAt: string;
  /** The labels of the chat, as the account has put them on it. */
  labels: LabelOutput[];
  /** The person, as the account knows them. Null for groups. */
  contact: Contact | null;
  /** Grows by one with every change of hands, so that an older one can be told. */
  epoch: number;
  /** Why the person has it who has it. Null where nobody said, or where the agent has it. */
  reason: string | null;
  /** What changed it. */
  takenOverBy:
    'assign' | 'reply' | 'phone' | 'agent' | 'model_failed' | 'release' | 'auto_return' | 'merge' | 'unmerge' | null;
  /** The last activity of the person who has it. Null where the agent has it. */
  humanActiveAt: string | null;
  /** When it returns to the agent, unless a person does something in it before. Null where it does not: by the persona's `autoReturnHours`, or because the agent has it. */
  returnsAt: string | null;
  /** The last 50 changes of hands, newest first. They are kept for 90 days. */
  handovers: Handover[];
  /** The agent's last turn in it. Null where it had none. */
  lastTurn: Turn | null;
  /** When the engine first heard of it. */
  createdAt: string;
}

/** A change of hands: who has got a conversation, when and why. */
export interface Handover {
  /** When it was. */
  at: string;
  /** Who answers. */
  mode: 'bot_active' | 'human_takeover';
  /** What changed it. */
  cause: 'assign' | 'reply' | 'phone' | 'agent' | 'model_failed' | 'release' | 'auto_return' | 'merge' | 'unmerge';
  /** Who got it. Null where nobody was named. */
  assignedTo: string | null;
  /** Why. Null where nobody said. */
  reason: string | null;
  /** Who did it, as the caller has named them. Null where unnamed. */
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
  /** The `assignee`. Null where nobody was named, or where the agent has it. */
  assignedTo: string | null;
  /** Grows by one with every change of hands, so that an older one can be told. */
  epoch: number;
  /** AI messages that were claimed before the takeover and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** Where it stands: `sending`, or what it has become since. */
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

/** What is unread from now on. */
export interface ConversationRead {
  /** The id of a conversation. */
  conversationId: string;
  /** Messages of the contact that are unread from now on. */
  unreadCount: number;
  /** With `tellNetwork`: whether the backend has taken it. It is read here all the same. */
  networkTold: boolean;
}

/** Somebody in a group. */
export interface Participant {
  /** The address under which the network shows them in the group. */
  chatId: string;
  /** The digits of their phone. Null where it is not known. */
  phone: string | null;
  /** The contact, where the tenant has talked with them. */
  contactId: string | null;
  /** The contact's name. Null where none is known. */
  name: string | null;
  /** What they may do in the group. */
  role: 'participant' | 'admin' | 'superadmin';
  /** True for the session's own account. */
  isMe: boolean;
}

export interface ConversationsListMessagesAnswer {
  /** The messages of this page, newest first. */
  messages: Message[];
  /** True where older ones follow after these; newer ones, for a page that was asked for by `after`. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
  /** True where newer ones than those of this page are known. */
  hasNewer: boolean;
  /** Asks for what is newer than this page, as `cursor`, also for what is yet to come. Null for a page without messages that was not asked for so. */
  newerCursor: string | null;
  /** True where messages are still being fetched: ask again in some seconds. */
  syncing: boolean;
}

export interface ConversationsListAnswer {
  /** The conversations of this page, newest first. */
  chats: ChatSummary[];
  /** How many chats the session has, all pages together; of a list that is narrowed, how many of them are in it, where 10000 stands for as many and more. Pages by `cursor` keep what the first one has counted. */
  total: number;
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
  /** True where the list is being brought up to date: ask again in some seconds. */
  syncing: boolean;
}

export interface ConversationsListParticipantsAnswer {
  /** The id of a conversation. */
  conversationId: string;
  /** Those who manage the group first. */
  participants: Participant[];
  /** False where the network could not be asked, so that this may be out of date. */
  isCurrent: boolean;
}
