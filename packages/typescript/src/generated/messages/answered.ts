// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { MessageErrorOutput } from '../shared/answered-2.ts';
import type { Plan } from '../shared/answered.ts';

/** The accepted messages. The engine neither loses them nor sends them twice. */
export interface SendAccepted {
  /** The first message of the request. Its status route shows the outcome. */
  messageId: string;
  /** The id of a conversation. */
  conversationId: string;
  /** The recipient's contact. Null for groups. */
  contactId: string | null;
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
  /** When it becomes due. Present only if `sendAt` is in the future. */
  scheduledFor?: string;
  /** Whether the session's engine shows buttons and lists natively, or as numbered text. */
  renderedAs?: 'native' | 'text';
  /** Every message that the request created, in the order in which they go out. */
  messages: {
    /** The id of a message. */
    messageId: string;
    /** The kind of message. */
    kind:
      | 'text'
      | 'image'
      | 'document'
      | 'audio'
      | 'video'
      | 'buttons'
      | 'list'
      | 'location'
      | 'contact'
      | 'poll'
      | 'forward';
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
    /** Why it was not sent, or may not have been sent. */
    error?: MessageErrorOutput;
  }[];
  /** Missing if `Prefer: wait` waited for the outcome of the messages, and if they ended immediately. */
  plan?: Plan;
}

/** The message's status now. */
export interface MessageResolved {
  /** The id of a message. */
  messageId: string;
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
  /** The message that is sent in its place. Null if none is. */
  resentAs: string | null;
}

/** A message that waits, or that ended without being sent. */
export interface UnsentMessage {
  /** The id of a message. */
  messageId: string;
  /** The same as `groupId`. Elsewhere, `requestId` is the id of an HTTP request, so read `groupId`. */
  requestId: string | null;
  /** The first of the messages that one request created, the same for all of them. Null if the request created only this message. */
  groupId: string | null;
  /** The id of a conversation. */
  conversationId: string;
  /** The contact who is to receive it. Null for groups. */
  contactId: string | null;
  /** The recipient: the digits of a phone number, otherwise a chat id. */
  to: string;
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
  /** The text, the caption, the title of a location, the names of contacts, or the question of a poll. */
  body: string;
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
  /** True for a bulk message (`priority: bulk`): everything else of its session goes first. */
  bulk: boolean;
  /** When it becomes due. Null if it was to be sent immediately. */
  scheduledFor: string | null;
  /** After this time it is no longer sent. Null for messages that the engine does not send. */
  expiresAt: string | null;
  /** When it was accepted. */
  createdAt: string;
  /** The reason for the wait. Null if nothing holds the message. */
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
  /** An estimate of when it goes out, if known. */
  heldUntil: string | null;
  /** Why it was not sent, or may not have been sent. */
  error?: MessageErrorOutput;
}

/** The cancelled messages. */
export interface CancelledMessages {
  /** The id of a message. */
  messageId: string;
  /** It was not handed to the backend and never will be. */
  status: 'cancelled';
  /** Every message that was cancelled, including this one. */
  cancelled: string[];
}
