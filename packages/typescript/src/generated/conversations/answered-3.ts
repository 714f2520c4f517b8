// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ChatSummary } from './answered-2.ts';
import type { Message } from './answered.ts';

/** The person or agent that has the conversation now. */
export interface Assigned {
  /** The id of a conversation. */
  conversationId: string;
  /** The side that answers. */
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

/** The remaining unread messages. */
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

/** A person who has a conversation open now. */
export interface Viewer {
  /** An id that the browser tab chose, 1 to 64 letters, digits, hyphens or underscores. */
  viewerId: string;
  /** The name of the person. Null if none was given. */
  name: string | null;
  /** The activity. */
  state: 'reading' | 'writing';
}

/** A person of the team, by a name that was used with the tenant. */
export interface Colleague {
  /** The name, as it was given. */
  name: string;
  /** When the name was last used. */
  seenAt: string;
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
  /** How many chats the session has, all pages together. For a filtered list, how many chats match; 10000 means that many or more. */
  total: number;
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
  /** True while the list is being brought up to date: request it again in a few seconds. */
  syncing: boolean;
}

export interface ConversationsListParticipantsAnswer {
  /** The id of a conversation. */
  conversationId: string;
  /** The participants; those who manage the group come first. */
  participants: Participant[];
  /** False if the network could not be asked, so the list may be out of date. */
  isCurrent: boolean;
}

export interface ConversationsListViewersAnswer {
  /** The people who have it open now, by name. */
  viewers: Viewer[];
}

export interface ConversationsShowViewerAnswer {
  /** The people who have it open now, by name. */
  viewers: Viewer[];
}

export interface ConversationsListColleaguesAnswer {
  /** The names. */
  colleagues: Colleague[];
}
