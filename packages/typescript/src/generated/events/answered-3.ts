// Made from openapi.json by `npm run client`: change the routes, not this file.
import type {
  Call,
  ContactCard,
  ErasedPayload,
  EventMetadata,
  LinkedPayload,
  Location,
  Notice,
  Poll,
  Selected,
} from './answered.ts';
import type { Button, ListRow } from '../shared/given.ts';

/** A message appeared in a conversation, from any author. Subscribe to it explicitly. */
export interface MessageAnyEvent {
  /** The event type. */
  event: 'message.any';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** True if it was written from the account, by anyone. */
        fromMe: boolean;
        /** The recipient: the digits of a phone number, otherwise a chat id. */
        to: string;
        /** The text, the caption, the title of a location, the names of contacts, or the question of a poll. */
        body: string;
        /** When it was written, in Unix seconds. */
        timestamp: number;
        /** The delivery level: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. It never contradicts `status`: a sent message has at least 1. */
        ack: number;
        /** The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered. */
        ackName: 'ERROR' | 'PENDING' | 'SERVER' | 'DEVICE' | 'READ' | 'PLAYED';
        /** True if the message has a file, even while it is still being fetched. */
        hasMedia: boolean;
        /** The id of a message. */
        messageId: string;
        /** The sender: the digits of a phone number, otherwise a chat id. In groups, the member who wrote it. */
        from: string;
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
        /** The author. `network`: the contact. */
        origin: 'api' | 'person' | 'ai' | 'phone' | 'history' | 'network' | 'passthrough' | 'automation';
        /** Present while the engine checks whether a message from the phone is its own send. Until then it causes no event and no takeover. */
        matching?: true;
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
        /** The same as `media.url`, which the specification does not name. */
        mediaUrl: string | null;
        /** The messageId of the message that it quotes. Null if it quotes none, or one that is not known. */
        replyTo: string | null;
        /** The buttons under it. Null for other kinds. */
        buttons: {
          /** A line above the text, up to 1,024 characters. */
          header?: string;
          /** A small line below the text, up to 1,024 characters. */
          footer?: string;
          /** One to ten buttons. No two may have the same id or the same text. */
          buttons: Button[];
        } | null;
        /** The list that it offers. Null for other kinds. */
        list: {
          /** The heading of the message, 1 to 256 characters. */
          title: string;
          /** The text on the button that opens the list. */
          button: string;
          /** A small line below the text, up to 1,024 characters. */
          footer?: string;
          /** One to twenty sections. No two rows may have the same id or the same title. */
          sections: {
            /** The heading of the section; empty for none. */
            title: string;
            /** One to fifty rows. */
            rows: ListRow[];
          }[];
        } | null;
        /** The message that it forwards. Present only if the engine forwarded one. */
        forwardOf?: string;
        /** The option that the person chose. */
        selected: Selected | null;
        /** Whether the session's engine shows buttons and lists natively, or as numbered text. */
        renderedAs: 'native' | 'text' | null;
        /** The place. Missing if `kind` is not `location`. */
        location?: Location;
        /** The contact cards. Missing if `kind` is not `contact`. */
        contacts?: ContactCard[];
        /** The poll. Missing if `kind` is not `poll`. */
        poll?: Poll;
        /** The call. Missing if `kind` is not `call`. */
        call?: Call;
        /** The notice. Missing if `kind` is not `notice`. */
        notice?: Notice;
        /** True if the sender wants the file to be seen once: it is not kept, and the phone shows it. Missing otherwise. */
        viewOnce?: true;
        /** True if it was forwarded. Missing otherwise. */
        forwarded?: true;
        /** True if it disappears from the phones after a time. The engine keeps it. */
        ephemeral?: true;
        /** True if it was sent to a broadcast list. Missing otherwise. */
        broadcast?: true;
        /** Chat ids of the people that it mentions with @. Empty if it mentions nobody. */
        mentions: string[];
        /** Missing if the content is there. */
        contentState?: 'waiting' | 'missing';
        /** The network's own name for content that the engine cannot show, for the kind `other`. Missing otherwise. */
        unsupported?: string;
        /** Its edits. Missing if it was never edited. */
        edited?: {
          /** When the newest edit was made. */
          at: string;
          /** All versions of the text, the first one first; the last one is `body`. */
          versions: {
            /** The text of this version. */
            body: string;
            /** When it was written. */
            at: string;
          }[];
        };
        /** When the engine learned that it was deleted for everyone; its text and its file are no longer shown. Missing otherwise. */
        revokedAt?: string;
        /** The person who deleted it. */
        revokedBy?: 'account' | 'sender' | 'admin';
        /** The latest reaction of each person, up to the newest 100. Missing if there is none. */
        reactions?: {
          /** True if the account itself did it. */
          fromMe: boolean;
          /** The other person who did it: the digits of a phone number, otherwise a chat id. Null for the account, or if unknown. */
          from: string | null;
          /** The contact who reacted. Null if that is not known. */
          contactId: string | null;
          /** The emoji. */
          emoji: string;
          /** When the reaction was made. */
          at: string;
        }[];
        /** How many more people have reacted than are listed. Missing if all are listed. */
        moreReactions?: number;
        /** Why it was not sent, or may not have been sent. */
        error?: MessageError;
        /** The id of a session. */
        sessionId: string;
        /** The conversation that it is in. The id of a merged conversation leads there, as `mergedInto` of `conversation.updated` says. */
        conversationId: string;
        /** The contact of the conversation. Null for groups. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** If two events are about the same thing, the one with the higher revision shows the later state, whichever arrives first. */
        revision: number;
        /** Only in messages from the account's history that a history run imported. */
        history?: true;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** Why it was not sent, or may not have been sent. */
export interface MessageError {
  /** The machine word for the reason. */
  code:
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
  /** A readable sentence: what the code means, with what is known about this message. */
  message: string | null;
}
