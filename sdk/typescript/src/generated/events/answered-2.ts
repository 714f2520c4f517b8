// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** A message of ours was sent, arrived, was read or played, or ended without that. A state is told once and never goes back. */
export interface MessageAckEvent {
  /** The type of the event. */
  event: 'message.ack';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The recipient: digits of a phone number, else a chat id. */
        to: string;
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
        /** How far the network says it has come: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. */
        ack: number;
        /** The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered. */
        ackName: 'ERROR' | 'PENDING' | 'SERVER' | 'DEVICE' | 'READ' | 'PLAYED';
        /** Why it failed, was cancelled or is uncertain. Missing otherwise. */
        reason?:
          | 'expired'
          | 'taken_over'
          | 'ai_paused'
          | 'opted_out'
          | 'automations_stopped'
          | 'not_on_network'
          | 'restricted'
          | 'backend_refused'
          | 'network_error'
          | 'outcome_unknown'
          | 'cancelled_by_request'
          | 'text_failed'
          | 'media_unavailable'
          | 'media_too_large'
          | 'media_type_refused'
          | 'resolved_by_operator'
          | 'session_deleted'
          | 'imported';
        /** When it came into this state, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** The file of a message came after the `message` event had said `media_pending`, or it is certain that it will not come; then `media.error` says why. */
export interface MessageMediaEvent {
  /** The type of the event. */
  event: 'message.media';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact who sent it. Null where that is not known. */
        contactId: string | null;
        /** What has become of the file. */
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
            | 'media_pending'
            | 'media_unavailable'
            | 'media_too_large'
            | 'media_expired'
            | 'media_revoked'
            | 'media_erased';
        };
        /** The same as `media.url`, which the specification does not name. */
        mediaUrl: string | null;
        /** When that became known, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}
