// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { ErasedPayload, EventMetadata, LinkedPayload } from './answered.ts';

/** A sent message changed its status. Each status is reported once and never reverts. */
export interface MessageAckEvent {
  /** The event type. */
  event: 'message.ack';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The recipient: digits of a phone number, else a chat id. */
        to: string;
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
        /** The delivery level: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. It never contradicts `status`: a sent message has at least 1. */
        ack: number;
        /** The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered. */
        ackName: 'ERROR' | 'PENDING' | 'SERVER' | 'DEVICE' | 'READ' | 'PLAYED';
        /** Why it failed, was cancelled or is uncertain. Missing otherwise. */
        reason?:
          | 'expired'
          | 'taken_over'
          | 'no_longer_so'
          | 'ai_paused'
          | 'opted_out'
          | 'automations_stopped'
          | 'not_on_network'
          | 'restricted'
          | 'recipient_refused'
          | 'backend_refused'
          | 'network_error'
          | 'outcome_unknown'
          | 'cancelled_by_request'
          | 'text_failed'
          | 'media_unavailable'
          | 'media_too_large'
          | 'media_type_refused'
          | 'media_storage_full'
          | 'resolved_by_operator'
          | 'session_deleted'
          | 'imported';
        /** When it reached this state, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** The file of a message arrived late, or will not arrive. Then `media.error` gives the reason. */
export interface MessageMediaEvent {
  /** The event type. */
  event: 'message.media';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact who sent it. Null if not known. */
        contactId: string | null;
        /** The state of the file. */
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
        };
        /** The same as `media.url`, which the specification does not name. */
        mediaUrl: string | null;
        /** When that became known, in Unix seconds. */
        timestamp: number;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}
