// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { MessageErrorOutput } from '../shared/answered-2.ts';
import type { Plan } from '../shared/answered.ts';

/** What was accepted: from here on it is not lost, and is not sent twice. */
export interface SendAccepted {
  /** The first message of the request. Its status route tells what becomes of it. */
  messageId: string;
  /** The id of a conversation. */
  conversationId: string;
  /** The contact who gets it. Null for groups. */
  contactId: string | null;
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
  /** When it becomes due. Only where `sendAt` is in the future. */
  scheduledFor?: string;
  /** Whether the session's engine shows buttons and lists as they are, or as numbered text. */
  renderedAs?: 'native' | 'text';
  /** Every message that the request became, in the order in which they go out. */
  messages: {
    /** The id of a message. */
    messageId: string;
    /** What sort of message it is. */
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
    /** Why it was not sent, or may not have been. */
    error?: MessageErrorOutput;
  }[];
  /** Not where `Prefer: wait` has waited for what became of them, and not where they have ended at once. */
  plan?: Plan;
}

/** What the message is now. */
export interface MessageResolved {
  /** The id of a message. */
  messageId: string;
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
  /** The message that is sent in its place. Null where none is. */
  resentAs: string | null;
}

/** A message that waits, or that ended without having been sent. */
export interface UnsentMessage {
  /** The id of a message. */
  messageId: string;
  /** The same as `groupId`, under a name that means the id of an HTTP request elsewhere. Read `groupId`. */
  requestId: string | null;
  /** The first of the messages that one request became, the same for all of them. Null where the request became this message alone. */
  groupId: string | null;
  /** The id of a conversation. */
  conversationId: string;
  /** The contact who is to get it. Null for groups. */
  contactId: string | null;
  /** The recipient: digits of a phone number, else a chat id. */
  to: string;
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
  /** The words of the message: its text, its caption, the text above buttons or a list, the title of a location, the names of contacts, or the question of a poll. */
  body: string;
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
  /** True for one of many (`priority: bulk`): it gives way to everything else of its session. */
  bulk: boolean;
  /** When it becomes due. Null where it was to go at once. */
  scheduledFor: string | null;
  /** From then on it is not sent any more. Null for messages that the engine does not send. */
  expiresAt: string | null;
  /** When it was accepted. */
  createdAt: string;
  /** Why it was not sent, or may not have been. */
  error?: MessageErrorOutput;
}

/** What was cancelled. */
export interface CancelledMessages {
  /** The id of a message. */
  messageId: string;
  /** It was not handed to the backend and never will be. */
  status: 'cancelled';
  /** Every message that was cancelled, this one among them. */
  cancelled: string[];
}
