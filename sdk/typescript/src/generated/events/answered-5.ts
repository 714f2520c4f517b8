// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** Somebody has put an emoji on a message, another one than before, or has taken it away. */
export interface MessageReactionEvent {
  /** The type of the event. */
  event: 'message.reaction';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null where that is not known. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** True where the message was written from the account. */
        fromMe: boolean;
        /** When the engine heard of it, in Unix seconds. */
        timestamp: number;
        /** The emoji. Null where the reaction was taken away. */
        emoji: string | null;
        /** Who did it. */
        by: {
          /** True where the account itself did it. */
          fromMe: boolean;
          /** Who else did: digits of a phone number, else a chat id. Null for the account, and where nobody says. */
          from: string | null;
        };
        /** When it was put there, or taken away. */
        at: string;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** Somebody has chosen in a poll, something else than before, or has taken the vote back. */
export interface MessageVoteEvent {
  /** The type of the event. */
  event: 'message.vote';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null where that is not known. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** True where the message was written from the account. */
        fromMe: boolean;
        /** When the engine heard of it, in Unix seconds. */
        timestamp: number;
        /** All that the voter has chosen now; empty where the vote was taken back, null where the backend could not read it. */
        options: string[] | null;
        /** Who did it. */
        by: {
          /** True where the account itself did it. */
          fromMe: boolean;
          /** Who else did: digits of a phone number, else a chat id. Null for the account, and where nobody says. */
          from: string | null;
        };
        /** When it was chosen. */
        at: string;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A call has reached the account, was taken on the phone, or was declined. A step is told once and never goes back. */
export interface CallUpdatedEvent {
  /** The type of the event. */
  event: 'call.updated';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null where that is not known. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** Who calls: digits of a phone number, else a chat id. */
        from: string;
        /** How far it has come. */
        status: 'received' | 'rejected' | 'accepted';
        /** True for a video call. */
        isVideo: boolean;
        /** True for a call to a group. */
        isGroup: boolean;
        /** When it happened, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A session was connected, lost its connection, or waits for its QR code to be scanned. */
export interface SessionStatusEvent {
  /** The type of the event. */
  event: 'session.status';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** How the session is. */
        status:
          | 'STOPPED'
          | 'STARTING'
          | 'SCAN_QR_CODE'
          | 'PASSKEY_REQUIRED'
          | 'PASSKEY_CONFIRMATION_REQUIRED'
          | 'WORKING'
          | 'FAILED';
        /** Its status before. Null where it had none. */
        previousStatus:
          | 'STOPPED'
          | 'STARTING'
          | 'SCAN_QR_CODE'
          | 'PASSKEY_REQUIRED'
          | 'PASSKEY_CONFIRMATION_REQUIRED'
          | 'WORKING'
          | 'FAILED'
          | null;
        /** Why, where that is known. */
        reason:
          | 'start_asked'
          | 'stop_asked'
          | 'restart_asked'
          | 'logout_asked'
          | 'relogin_asked'
          | 'delete_asked'
          | 'recovery'
          | 'silence'
          | 'lost_by_backend'
          | 'refused'
          | 'code_shown'
          | 'code_scanned'
          | 'nobody_scanned'
          | 'connection_lost'
          | 'account_lost'
          | 'stopped_by_itself'
          | null;
        /** Since when it has this status, as the session shows it. */
        since: string;
        /** When it changed, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** The network has refused new contacts of a session. Until then nobody new is written to. */
export interface SessionRestrictedEvent {
  /** The type of the event. */
  event: 'session.restricted';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** The network's word for why. */
        code: string;
        /** Until then nobody new is written to. */
        until: string;
        /** When the network said so, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A session is WORKING, but its backend shows messages that it has not told of, or it has heard nothing for far longer than is usual for it. The engine fetches what was missed and restarts it. */
export interface SessionSilentEvent {
  /** The type of the event. */
  event: 'session.silent';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** Why it is taken for silent. */
        reason: 'messages_missed' | 'nothing_heard';
        /** When a contact was last heard, or when it began to work, if nobody was heard since. */
        since: string;
        /** How many messages of contacts the backend shows that it has not told of. They are fetched next, and come as `message`. */
        missed: number;
        /** When it was found, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** A session that was told as silent has heard a contact, or nothing of it was missed for a while. */
export interface SessionRecoveredEvent {
  /** The type of the event. */
  event: 'session.recovered';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** Why it is not taken for silent any more. */
        reason: 'heard' | 'nothing_missed';
        /** Since when it was silent, as `session.silent` has said. */
        silentSince: string;
        /** How often the engine has restarted it for silence within about a day. */
        restarts: number;
        /** When it was found, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}
