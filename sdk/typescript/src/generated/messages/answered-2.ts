// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { MessageErrorOutput } from '../shared/answered-2.ts';
import type { Plan } from '../shared/answered.ts';

/** What became of a message, with its whole history. */
export interface DeliveryStatus {
  /** The id of a message. */
  messageId: string;
  /** The id of a conversation. */
  conversationId: string;
  /** The id of a session. */
  sessionId: string;
  /** Digits of a phone, else the chat id. */
  to: string;
  /** The words of the message: its text, its caption, the text above buttons or a list, the title of a location, the names of contacts, or the question of a poll. */
  body: string;
  /** The messageId that it quotes. Null where it quotes none, or one that is not known. */
  replyTo: string | null;
  /** The same as `groupId`, under a name that means the id of an HTTP request elsewhere. Read `groupId`. */
  requestId: string | null;
  /** The first of the messages that one request became, the same for all of them. Null where the request became this message alone. */
  groupId: string | null;
  /** What sort of message it is. */
  kind:
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
  /** Where the message stands. */
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
    | 'cancelled'
    | 'received';
  /** True for one of many (`priority: bulk`): it gives way to everything else of its session. */
  bulk: boolean;
  /** The message that this one repeats. Null where it repeats none. */
  resendOf: string | null;
  /** When it becomes due. Null where it was to go at once. */
  scheduledFor: string | null;
  /** From then on it is not sent any more. Null for messages that the engine does not send. */
  expiresAt: string | null;
  /** While it waits: when it is likely to go out. */
  plan?: Plan;
  /** What it waits for, or last waited for. */
  heldBy:
    | 'now'
    | 'scheduled'
    | 'queue'
    | 'pace'
    | 'first_contacts'
    | 'quiet_hours'
    | 'restricted'
    | 'session_not_working'
    | 'suspended'
    | null;
  /** Until when that holds it, as far as it is known. */
  heldUntil: string | null;
  /** Whether the session's engine shows buttons and lists as they are, or as numbered text. */
  renderedAs: 'native' | 'text' | null;
  /** The message's file. Null where it has none. */
  media: {
    /** A permanent address of the file that needs no key. A file of an older message that is not stored yet is fetched when its address is asked for. Null until the engine has stored a file that it sends or waits for, and where there is none. */
    url: string | null;
    /** The media type, such as `image/jpeg`. Null where nobody told it. */
    mimeType: string | null;
    /** The name that the sender gave to the file. */
    fileName: string | null;
    /** The size in bytes. Null until the engine has stored the file. */
    sizeBytes: number | null;
    /** The SHA-256 of the file in hexadecimal digits. Null until it is stored. */
    sha256: string | null;
    /** A small picture for lists. Missing where there is none. */
    thumbnail?: {
      /** A permanent address of the thumbnail, a WebP, that needs no key. */
      url: string;
      /** Its width in pixels, 320 at most. */
      width: number;
      /** Its height in pixels, 320 at most. */
      height: number;
    };
    /** Why the file is not there. Missing where it is, or is being fetched. */
    error?:
      'media_pending' | 'media_unavailable' | 'media_too_large' | 'media_expired' | 'media_revoked' | 'media_erased';
  } | null;
  /** How far the network says it has come: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. Null before any. */
  ack: number | null;
  /** The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered. */
  ackName: 'ERROR' | 'PENDING' | 'SERVER' | 'DEVICE' | 'READ' | 'PLAYED' | null;
  /** When it reached each level. */
  timestamps: {
    /** When it was accepted. */
    queued: string;
    /** When the network had it. Null before. */
    sent: string | null;
    /** When it reached the contact's device. Null before. */
    delivered: string | null;
    /** When the contact had read it. Null before. */
    read: string | null;
    /** When the contact had played it. Null before. */
    played: string | null;
    /** When nothing more was to be done to send it. Null before. */
    ended: string | null;
  };
  /** How often it was handed to the messaging backend. */
  attempts: number;
  /** Why it was not sent, or may not have been. */
  error?: MessageErrorOutput;
  /** Every state that it went through, oldest first. */
  history: MessageHistoryEntry[];
  /** The id of its execution in Temporal's UI, for operators. Null for messages that the engine does not send. */
  workflowId: string | null;
}

/** One state of a message, with its time and reason. */
export interface MessageHistoryEntry {
  /** Where the message stands; every change is an entry of its history. */
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
  /** When it came into this state. */
  at: string;
  /** The machine word for why. Null where the state says it all. */
  reason: string | null;
  /** The reason and its detail as a sentence for people. */
  text: string | null;
  /** What more is known: a cause, a time, or what somebody wrote. */
  detail: string | null;
  /** Who did it, where it was not the engine by itself. */
  actor: string | null;
  /** The API key that asked, where `actor` is what its holder says. */
  keyId: string | null;
}
