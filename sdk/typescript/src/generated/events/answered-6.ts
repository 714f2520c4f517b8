// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** A run that reads the past of an account goes on, every five seconds at most, and once when it has ended. */
export interface SyncProgressEvent {
  /** The type of the event. */
  event: 'sync.progress';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** How the reading is. */
        state: 'never' | 'waiting' | 'running' | 'done' | 'stopped';
        /** Why the run that goes on, or the last one, has begun. */
        cause: 'first' | 'late' | 'connected' | 'scheduled' | 'reader' | 'asked' | null;
        /** When that run began. */
        startedAt: string | null;
        /** When it ended. Null while it goes on. */
        finishedAt: string | null;
        /** How many chats the run has found in the list of the backend. */
        chats: number;
        /** How many of them have still to be read. */
        chatsLeft: number;
        /** How many messages the run has read. */
        messages: number;
        /** How many of them were not here before. */
        imported: number;
        /** How many were said while the engine listened and had not come; they are told as `message`. */
        missed: number;
        /** How many messages it reads in a second, on the average. */
        messagesPerSecond: number;
        /** How many messages of the past all runs have brought in. */
        importedInAll: number;
        /** The bounds of the run. Null before the first one. */
        limits: {
          /** So many messages of a chat are read. */
          messagesPerChat: number;
          /** Once so many were brought in, only the newest messages of each chat are read. */
          messagesPerSession: number;
          /** What was said before is left out. Null leaves nothing out. */
          since: string | null;
        } | null;
        /** True where one of the limits has left something out: ask for more. */
        isBounded: boolean;
        /** The code of what keeps the run from going on. */
        error: string | null;
        /** When the next run comes by itself. Null while one goes on, and where none comes. */
        nextAt: string | null;
        /** When it was told, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A conversation was assigned, a person has answered in it, the agent has handed it over, or it turned out to be one with another that a person has. */
export interface ConversationAssignedEvent {
  /** The type of the event. */
  event: 'conversation.assigned';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** Who answers. */
        mode: 'bot_active' | 'human_takeover';
        /** What changed it. */
        cause:
          'assign' | 'reply' | 'phone' | 'agent' | 'model_failed' | 'release' | 'auto_return' | 'merge' | 'unmerge';
        /** With the cause `merge`: the conversation that went. Its id leads to `conversationId` from now on. */
        mergedFrom?: string;
        /** Whose it is now, as the request said. Null where nobody was named. */
        assignedTo: string | null;
        /** Why, in the words of whoever or whatever handed it over. */
        reason: string | null;
        /** Grows by one with every change of hands. */
        epoch: number;
        /** When the agent returns unless a person does something. */
        returnAt: string | null;
        /** When it changed, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A conversation was released, or the time after the last human activity is over. */
export interface ConversationReleasedEvent {
  /** The type of the event. */
  event: 'conversation.released';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** Who answers. */
        mode: 'bot_active' | 'human_takeover';
        /** What changed it. */
        cause:
          'assign' | 'reply' | 'phone' | 'agent' | 'model_failed' | 'release' | 'auto_return' | 'merge' | 'unmerge';
        /** With the cause `merge`: the conversation that went. Its id leads to `conversationId` from now on. */
        mergedFrom?: string;
        /** Whose it is now, as the request said. Null where nobody was named. */
        assignedTo: string | null;
        /** Why, in the words of whoever or whatever handed it over. */
        reason: string | null;
        /** Grows by one with every change of hands. */
        epoch: number;
        /** When the agent returns unless a person does something. */
        returnAt: string | null;
        /** When it changed, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A label was put on a chat or taken off it, by the API, on the phone or by another program. */
export interface ConversationLabelledEvent {
  /** The type of the event. */
  event: 'conversation.labelled';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** All labels that the chat has now. */
        labels: Label[];
        /** When the engine heard of it, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A label of the account, by which its chats are sorted. */
export interface Label {
  /** The network's id of a label. */
  id: string;
  /** Its name. Null where the network has not told it. */
  name: string | null;
  /** The number of its colour. Null where the network tells none. */
  color: number | null;
  /** Its colour, such as `#64c4ff`. Null where the network tells none. */
  colorHex: string | null;
}

/** Anything that the list of chats shows of a conversation is other than before: its last message, what is unread, who has it, its labels, its name. It has the whole, as it is now; changes that follow each other at once are told together. Written only where somebody asks for it. */
export interface ConversationUpdatedEvent {
  /** The type of the event. */
  event: 'conversation.updated';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
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
        labels: Label[];
        /** Grows by one with every change of hands. */
        epoch: number;
        /** Why the person has it who has it. Null where nobody said, or where the agent has it. */
        reason: string | null;
        /** When it returns to the agent, unless a person does something in it before. */
        returnsAt: string | null;
        /** The conversation that this one went into, with its messages. It is in no list from then on. Null while it is one of its own. */
        mergedInto: string | null;
        /** Of two events about the same thing the one with the higher revision shows the later state, whichever comes first. */
        revision: number;
        /** When this was so, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A reading of the contacts has found a new person or another name, a person has written under another name than before, somebody was blocked or unblocked, somebody has opted out or in, or a picture is another one. The first reading of an account is not told, nor are dozens of new people that come at once, nor somebody whom their first message makes known. */
export interface ContactUpdatedEvent {
  /** The type of the event. */
  event: 'contact.updated';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The id of a contact. */
        contactId: string;
        /** The address at which messages reach the person: the phone number where it is known. */
        chatId: string;
        /** The phone number, in digits with its country code. Null where only a hidden id is known. */
        phone: string | null;
        /** The hidden id. Null where none is known. */
        lid: string | null;
        /** The name in the account's address book. Null where it has none. */
        name: string | null;
        /** The name that the person shows to others. Null until told. */
        pushName: string | null;
        /** Whether the account has blocked the person. */
        isBlocked: boolean;
        /** Whether the person wants no more messages; then only what a request calls transactional goes out. */
        isOptedOut: boolean;
        /** Whether the person is in the account's address book. */
        isMyContact: boolean;
        /** Every address under which the network has shown the person: phones (`…@c.us`) and hidden ids (`…@lid`). */
        aliases: string[];
        /** Where the picture of the person is read, without a key; the address stays and shows the picture of the day. Null until it was fetched, and for a person who shows none. */
        picture: string | null;
        /** What is other than before: `added` where the account has got to know the person, `picture` where it shows another one, else the names of fields above. */
        changed: ('added' | 'name' | 'pushName' | 'isMyContact' | 'isBlocked' | 'isOptedOut' | 'picture')[];
        /** When the engine learned it, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}
