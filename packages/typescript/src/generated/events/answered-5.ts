// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** Its author, or an admin of the group, deleted it for everyone. Its text and its file are no longer shown. */
export interface MessageRevokedEvent {
  /** The event type. */
  event: 'message.revoked';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null if not known. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** True if the message was written from the account. */
        fromMe: boolean;
        /** When the engine learned of it, in Unix seconds. */
        timestamp: number;
        /** When the engine learned of it. */
        revokedAt: string;
        /** The person who deleted it. */
        revokedBy: 'account' | 'sender' | 'admin';
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A person added, changed or removed an emoji on a message. */
export interface MessageReactionEvent {
  /** The event type. */
  event: 'message.reaction';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null if not known. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** True if the message was written from the account. */
        fromMe: boolean;
        /** When the engine learned of it, in Unix seconds. */
        timestamp: number;
        /** The emoji. Null if the reaction was removed. */
        emoji: string | null;
        /** The person who did it. */
        by: {
          /** True if the account itself did it. */
          fromMe: boolean;
          /** The other person who did it: the digits of a phone number, otherwise a chat id. Null for the account, or if unknown. */
          from: string | null;
        };
        /** When it was added or removed. */
        at: string;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A person voted in a poll, or changed or withdrew the vote. */
export interface MessageVoteEvent {
  /** The event type. */
  event: 'message.vote';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null if not known. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** True if the message was written from the account. */
        fromMe: boolean;
        /** When the engine learned of it, in Unix seconds. */
        timestamp: number;
        /** All options that the voter has chosen now. Empty if the vote was withdrawn; null if the backend could not read it. */
        options: string[] | null;
        /** The person who did it. */
        by: {
          /** True if the account itself did it. */
          fromMe: boolean;
          /** The other person who did it: the digits of a phone number, otherwise a chat id. Null for the account, or if unknown. */
          from: string | null;
        };
        /** When they were chosen. */
        at: string;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A call reached the account, was taken on the phone, or was declined. Each step is reported once and never reverts. */
export interface CallUpdatedEvent {
  /** The event type. */
  event: 'call.updated';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact of the message. Null if not known. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** The caller: digits of a phone number, else a chat id. */
        from: string;
        /** The status of the call. */
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
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A session connected, lost its connection, or waits for its QR code to be scanned. */
export interface SessionStatusEvent {
  /** The event type. */
  event: 'session.status';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** The status of the session. */
        status:
          | 'STOPPED'
          | 'STARTING'
          | 'SCAN_QR_CODE'
          | 'PASSKEY_REQUIRED'
          | 'PASSKEY_CONFIRMATION_REQUIRED'
          | 'WORKING'
          | 'FAILED';
        /** The previous status. Null if there was none. */
        previousStatus:
          | 'STOPPED'
          | 'STARTING'
          | 'SCAN_QR_CODE'
          | 'PASSKEY_REQUIRED'
          | 'PASSKEY_CONFIRMATION_REQUIRED'
          | 'WORKING'
          | 'FAILED'
          | null;
        /** The reason, if known. */
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
        /** Since when it has this status, as in the session. */
        since: string;
        /** When it changed, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** The network refused new contacts of a session. Until the time given, the engine does not write to new contacts. */
export interface SessionRestrictedEvent {
  /** The event type. */
  event: 'session.restricted';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** The network's code for the reason. */
        code: string;
        /** Until then, the engine does not write to new contacts. */
        until: string;
        /** When the network said so, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** The network warned an account before its quota of new chats is used up, capped it, or ended the warning. A warned account's first contacts go more slowly. */
export interface SessionQuotaEvent {
  /** The event type. */
  event: 'session.quota';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The network's step. */
        step: 'none' | 'first_warning' | 'second_warning' | 'capped';
        /** Chats that the account has opened in this cycle, if known. */
        used: number | null;
        /** Chats that the account may open in one cycle, if known. */
        total: number | null;
        /** The end of the cycle, if known. */
        until: string | null;
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** How many new contacts the engine writes to each day from now on. Null without a warning. */
        firstContactsPerDay: number | null;
        /** When the engine saw the step, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** A working session reported no events for unusually long, or missed messages. The engine fetches them and restarts the session. */
export interface SessionSilentEvent {
  /** The event type. */
  event: 'session.silent';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a session. */
        sessionId: string;
        /** The session's name at the backend. */
        name: string;
        /** Why the session is considered silent. */
        reason: 'messages_missed' | 'nothing_heard';
        /** When a contact was last heard; if none has been heard since the session began to work, when it began to work. */
        since: string;
        /** How many messages of contacts the backend shows but has not reported. The engine fetches them next, and they arrive as `message`. */
        missed: number;
        /** When the engine found this, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}
