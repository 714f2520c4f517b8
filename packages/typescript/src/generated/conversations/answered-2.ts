// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { LabelOutput } from '../shared/answered-3.ts';
import type { Contact, Turn } from '../shared/answered.ts';

/** A conversation as the list of chats shows it. */
export interface ChatSummary {
  /** The name of the contact or the group. If none is known, the digits of the phone number or the chat id. */
  name: string;
  /** The address of the profile picture. A stored picture has a permanent address; the network's works for a few days. */
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
  /** How many messages of the contact nobody has read or answered. Reading and answers by people or the agent lower it. */
  unreadCount: number;
  /** The id of a conversation. */
  conversationId: string;
  /** The network's name of the chat, such as `4915112345678@c.us`. */
  chatId: string;
  /** The contact of the conversation. Null for groups. */
  contactId: string | null;
  /** The id of a session. */
  sessionId: string;
  /** The side that answers. */
  mode: 'bot_active' | 'human_takeover';
  /** The `assignee` who has it. Null if nobody was named, or if the agent has it. */
  assignedTo: string | null;
  /** When someone last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
  updatedAt: string;
  /** The labels that the account has put on the chat. */
  labels: LabelOutput[];
  /** When the contact wrote the first message that nobody has answered. A person answers with an accepted reply or on the phone; the agent and the API answer once their message is sent. */
  waitingSince: string | null;
  /** The status of the newest message. Null if only its text is known. */
  lastMessageStatus:
    | 'scheduled'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'read'
    | 'played'
    | 'failed'
    | 'uncertain'
    | 'cancelled'
    | 'received'
    | null;
  /** Why the agent said nothing in its last turn. Null if it spoke, called a person, is still in its turn, or had none. */
  agentSilence:
    | 'paused'
    | 'human'
    | 'hours'
    | 'automation'
    | 'opted_out'
    | 'budget'
    | 'duplicate'
    | 'newer_message'
    | 'group'
    | 'revoked'
    | 'stale'
    | 'agent_late'
    | 'loop'
    | 'model_failed'
    | 'model_retry'
    | 'content_missing'
    | 'nothing_said'
    | 'network_account'
    | 'unknown_address'
    | 'nothing_to_answer'
    | 'taken_over'
    | 'reply_refused'
    | null;
}

/** A conversation: who has it, who had it, and its state. */
export interface Conversation {
  /** The name of the contact or the group. If none is known, the digits of the phone number or the chat id. */
  name: string;
  /** The address of the profile picture. A stored picture has a permanent address; the network's works for a few days. */
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
  /** How many messages of the contact nobody has read or answered. Reading and answers by people or the agent lower it. */
  unreadCount: number;
  /** The id of a conversation. */
  conversationId: string;
  /** The network's name of the chat, such as `4915112345678@c.us`. */
  chatId: string;
  /** The contact of the conversation. Null for groups. */
  contactId: string | null;
  /** The id of a session. */
  sessionId: string;
  /** The side that answers. */
  mode: 'bot_active' | 'human_takeover';
  /** The `assignee` who has it. Null if nobody was named, or if the agent has it. */
  assignedTo: string | null;
  /** When someone last wrote in it, read it or took it over, or its name changed, by the clock of the engine. */
  updatedAt: string;
  /** The labels that the account has put on the chat. */
  labels: LabelOutput[];
  /** When the contact wrote the first message that nobody has answered. A person answers with an accepted reply or on the phone; the agent and the API answer once their message is sent. */
  waitingSince: string | null;
  /** The status of the newest message. Null if only its text is known. */
  lastMessageStatus:
    | 'scheduled'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'read'
    | 'played'
    | 'failed'
    | 'uncertain'
    | 'cancelled'
    | 'received'
    | null;
  /** Why the agent said nothing in its last turn. Null if it spoke, called a person, is still in its turn, or had none. */
  agentSilence:
    | 'paused'
    | 'human'
    | 'hours'
    | 'automation'
    | 'opted_out'
    | 'budget'
    | 'duplicate'
    | 'newer_message'
    | 'group'
    | 'revoked'
    | 'stale'
    | 'agent_late'
    | 'loop'
    | 'model_failed'
    | 'model_retry'
    | 'content_missing'
    | 'nothing_said'
    | 'network_account'
    | 'unknown_address'
    | 'nothing_to_answer'
    | 'taken_over'
    | 'reply_refused'
    | null;
  /** The person, as the account knows them. Null for groups. */
  contact: Contact | null;
  /** Increases by one with every handover, so that you can recognize an older one. */
  epoch: number;
  /** Why the current person has it. Null if no reason was given, or if the agent has it. */
  reason: string | null;
  /** The cause of the change. */
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
  /** The contact's conversations with other accounts of the tenant, newest first, 20 at most. Empty for groups, and for a key of one session. */
  otherChats: OtherChat[];
  /** The agent's last turn in it. Null if it had none. */
  lastTurn: Turn | null;
  /** When the engine first learned of it. */
  createdAt: string;
}

/** A handover: who got a conversation, when and why. */
export interface Handover {
  /** When it happened. */
  at: string;
  /** The side that answers. */
  mode: 'bot_active' | 'human_takeover';
  /** The cause of the change. */
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
  /** The person who got the conversation. Null if unnamed. */
  assignedTo: string | null;
  /** The reason. Null if none was given. */
  reason: string | null;
  /** The actor, as the caller named them. Null if unnamed. */
  actor: string | null;
  /** The epoch of the conversation from then on. */
  epoch: number;
}

/** A conversation of the same contact with another account of the tenant. */
export interface OtherChat {
  /** The id of a conversation. */
  conversationId: string;
  /** The session of the account. */
  sessionId: string;
  /** The name of the account, or of its session. */
  accountName: string;
  /** When the last message was. Null without one. */
  lastMessageAt: string | null;
}
