// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** A silent session received a message again, or missed none for a while. */
export interface SessionRecoveredEvent {
  /** The event type. */
  event: 'session.recovered';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** Why the session is no longer considered silent. */
        reason: 'heard' | 'nothing_missed';
        /** Since when it was silent, as in `session.silent`. */
        silentSince: string;
        /** How often the engine restarted it for silence within about a day. */
        restarts: number;
        /** When the engine found this, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A run that reads an account's history makes progress: at most every five seconds, and once when it has ended. */
export interface SyncProgressEvent {
  /** The event type. */
  event: 'sync.progress';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** The status of the reading. */
        state: 'never' | 'waiting' | 'running' | 'done' | 'stopped';
        /** Why the run in progress, or the last one, began. */
        cause: 'first' | 'late' | 'connected' | 'scheduled' | 'reader' | 'asked' | null;
        /** When that run began. */
        startedAt: string | null;
        /** When it ended. Null while it is in progress. */
        finishedAt: string | null;
        /** How many chats the run has found in the list of the backend. */
        chats: number;
        /** How many of them still have to be read. */
        chatsLeft: number;
        /** How many messages the run has read. */
        messages: number;
        /** How many of them were new to the engine. */
        imported: number;
        /** How many were written while the engine listened and had not arrived; they are reported as `message`. */
        missed: number;
        /** How many messages it reads per second, on average. */
        messagesPerSecond: number;
        /** How many messages of the history all runs have brought in. */
        importedInAll: number;
        /** The limits of the run. Null before the first one. */
        limits: {
          /** How many messages of each chat are read. */
          messagesPerChat: number;
          /** Once this many messages were brought in, only the newest messages of each chat are read. */
          messagesPerSession: number;
          /** Messages from before this time are omitted. Null omits nothing. */
          since: string | null;
        } | null;
        /** True if one of the limits has left something out: request more. */
        isBounded: boolean;
        /** The code of the error that prevents the run from continuing. */
        error: string | null;
        /** When the next run starts automatically. Null while one is in progress or about to begin, and if none is planned. */
        nextAt: string | null;
        /** When it was reported, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A person has the conversation: by assignment, answer, handover or merge. */
export interface ConversationAssignedEvent {
  /** The event type. */
  event: 'conversation.assigned';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
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
        /** With the cause `merge`: the conversation that was merged. From now on, its id leads to `conversationId`. */
        mergedFrom?: string;
        /** The person who has it now, as the request said. Null if unnamed. */
        assignedTo: string | null;
        /** The reason, in the words of who or what handed it over. */
        reason: string | null;
        /** Increases by one each time the conversation changes hands. */
        epoch: number;
        /** When the agent returns, unless a person does something. */
        returnAt: string | null;
        /** When it changed, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A conversation was released, or the time after the last human activity is over. */
export interface ConversationReleasedEvent {
  /** The event type. */
  event: 'conversation.released';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
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
        /** With the cause `merge`: the conversation that was merged. From now on, its id leads to `conversationId`. */
        mergedFrom?: string;
        /** The person who has it now, as the request said. Null if unnamed. */
        assignedTo: string | null;
        /** The reason, in the words of who or what handed it over. */
        reason: string | null;
        /** Increases by one each time the conversation changes hands. */
        epoch: number;
        /** When the agent returns, unless a person does something. */
        returnAt: string | null;
        /** When it changed, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A label was added to a chat or removed from it, by the API, on the phone or by another program. */
export interface ConversationLabelledEvent {
  /** The event type. */
  event: 'conversation.labelled';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** All labels that the chat has now. */
        labels: Label[];
        /** When the engine learned of it, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A label of the account, for sorting its chats. */
export interface Label {
  /** The network's id of a label. */
  id: string;
  /** Its name. Null if the network has not reported it. */
  name: string | null;
  /** The number of its colour. Null if the network reports none. */
  color: number | null;
  /** Its colour, such as `#64c4ff`. Null if the network reports none. */
  colorHex: string | null;
}
