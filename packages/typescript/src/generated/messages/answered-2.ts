// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { MessageErrorOutput } from '../shared/answered-2.ts';
import type { Plan } from '../shared/answered.ts';

/** The outcome of a message, with its whole history. */
export interface DeliveryStatus {
  /** The id of a message. */
  messageId: string;
  /** The id of a conversation. */
  conversationId: string;
  /** The id of a session. */
  sessionId: string;
  /** The digits of a phone number, otherwise the chat id. */
  to: string;
  /** The text, the caption, the title of a location, the names of contacts, or the question of a poll. */
  body: string;
  /** The messageId of the message that it quotes. Null if it quotes none, or one that is not known. */
  replyTo: string | null;
  /** The same as `groupId`. Elsewhere, `requestId` is the id of an HTTP request, so read `groupId`. */
  requestId: string | null;
  /** The first of the messages that one request created, the same for all of them. Null if the request created only this message. */
  groupId: string | null;
  /** The kind of message. */
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
  /** The status of the message. */
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
  /** Present while the engine checks whether a message from the phone is its own send. Until then it causes no event and no takeover. */
  matching?: true;
  /** True for a bulk message (`priority: bulk`): everything else of its session goes first. */
  bulk: boolean;
  /** The message that this one resends. Null if it resends none. */
  resendOf: string | null;
  /** When it becomes due. Null if it was to be sent immediately. */
  scheduledFor: string | null;
  /** After this time it is no longer sent. Null for messages that the engine does not send. */
  expiresAt: string | null;
  /** While it waits: when it is likely to go out. */
  plan?: Plan;
  /** The current or last reason for the wait. */
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
    | 'backend_unavailable'
    | null;
  /** Until when that holds it, if known. While it waits, never in the past. */
  heldUntil: string | null;
  /** Whether the session's engine shows buttons and lists natively, or as numbered text. */
  renderedAs: 'native' | 'text' | null;
  /** The message's file. Null if it has none. */
  media: {
    /** A permanent address of the file that needs no key. If a file of an older message is not stored yet, it is fetched when its address is requested. */
    url: string | null;
    /** The media type, such as `image/jpeg`. Null if it is not known. */
    mimeType: string | null;
    /** The name that the sender gave to the file. */
    fileName: string | null;
    /** The size in bytes. Null until the engine has stored the file. */
    sizeBytes: number | null;
    /** The SHA-256 of the file in hexadecimal digits. Null until it is stored. */
    sha256: string | null;
    /** A small picture for lists. Missing if there is none. */
    thumbnail?: {
      /** A permanent address of the thumbnail, a WebP, that needs no key. */
      url: string;
      /** Its width in pixels, at most 320. */
      width: number;
      /** Its height in pixels, at most 320. */
      height: number;
    };
    /** Why the file is not available. Missing if it is available or is being fetched. */
    error?:
      | 'media_pending'
      | 'media_unavailable'
      | 'media_too_large'
      | 'media_storage_full'
      | 'media_expired'
      | 'media_revoked'
      | 'media_erased';
  } | null;
  /** The delivery level: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. It never contradicts `status`: a sent message has at least 1. */
  ack: number | null;
  /** The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered. */
  ackName: 'ERROR' | 'PENDING' | 'SERVER' | 'DEVICE' | 'READ' | 'PLAYED' | null;
  /** When it reached each level. */
  timestamps: {
    /** When it was accepted. */
    queued: string;
    /** When the network had it. Null until then. */
    sent: string | null;
    /** When it reached the contact's device. Null until then. */
    delivered: string | null;
    /** When the contact had read it. Null until then. */
    read: string | null;
    /** When the contact had played it. Null until then. */
    played: string | null;
    /** When nothing more had to be done to send it. Null until then. */
    ended: string | null;
  };
  /** How many times it was handed to the messaging backend. */
  attempts: number;
  /** Why it was not sent, or may not have been sent. */
  error?: MessageErrorOutput;
  /** Every state that it went through, oldest first. */
  history: MessageHistoryEntry[];
  /** The id of its execution in Temporal's UI, for operators. Null for messages that the engine does not send, and while none exists: a message that waits in its queue has none. */
  workflowId: string | null;
}

/** One state of a message, with its time and reason. */
export interface MessageHistoryEntry {
  /** The status of the message; every change is an entry in its history. */
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
  /** When it entered this state. */
  at: string;
  /** The machine word for the reason. Null if the state needs none. */
  reason: string | null;
  /** The reason and its detail as a sentence for people. */
  text: string | null;
  /** More detail: a cause, a time, or what someone wrote. */
  detail: string | null;
  /** The actor, if it was not the engine itself. */
  actor: string | null;
  /** The API key of the request, if `actor` is a name that the holder of the key gave. */
  keyId: string | null;
}
