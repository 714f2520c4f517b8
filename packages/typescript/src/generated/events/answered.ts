// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A contact wrote to a session, in a chat or a group. */
export interface MessageEvent {
  /** The event type. */
  event: 'message';
  /** The event's data. A link if it is too large; only ids if the person's data was erased. */
  payload:
    | {
        /** The text of the message. Empty for a file without a caption. */
        body: string;
        /** When the message was written, in Unix seconds. */
        timestamp: number;
        /** The sender's phone number (digits only) or chat id; see `fromKind`. */
        from: string;
        /** Whether `from` is the digits of a phone number or a chat id. */
        fromKind: 'phone' | 'chat';
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact who wrote it. Null if not known. */
        contactId: string | null;
        /** The chat's id on the network. */
        chatId: string;
        /** The name that the sender shows to others. */
        pushName: string | null;
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
          | 'notice';
        /** True if the message has a file. */
        hasMedia: boolean;
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
        /** The messageId that it quotes. Null if it quotes none. */
        replyTo: string | null;
        /** The chosen option of buttons or a list. A number or text counts for a message that was sent as numbered text. */
        selected: Selected | null;
        /** Only if the backend did not report the message in time and the engine fetched it; it may be old. */
        recovered?: true;
        /** Only in messages of an account's history, if a request asked for their events. They may be years old. */
        history?: true;
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
        /** Chat ids of the people that it mentions with @. Missing if it mentions nobody. */
        mentions?: string[];
        /** Missing if the content is there. */
        contentState?: 'waiting' | 'missing';
        /** The network's own name for content that the engine cannot show, for the kind `other`. Missing otherwise. */
        unsupported?: string;
      }
    | LinkedPayload
    | ErasedPayload;
  /** The event's owner, id and position. */
  metadata: EventMetadata;
}

/** The option that a contact chose in a message with buttons or a list. */
export interface Selected {
  /** The `id` of the button, or the `rowId` of the row. */
  id: string;
  /** The text of the option. */
  text: string;
  /** The message that offered it. Null if that is not known. */
  messageId: string | null;
}

/** A place that a message shows. */
export interface Location {
  /** The latitude in degrees. */
  latitude: number;
  /** The longitude in degrees. */
  longitude: number;
  /** The name of the place. Null if none was given. */
  name: string | null;
  /** The address of the place. Null if none was given. */
  address: string | null;
  /** A page about the place. Null if none was given. */
  url: string | null;
  /** True for a live location: the position is that of its beginning. The network shows the movement only on phones. */
  live: boolean;
}

/** A contact card that a message carries. */
export interface ContactCard {
  /** The name on the card. Null if it has none. */
  name: string | null;
  /** The organization on the card. Null if it has none. */
  organization: string | null;
  /** The phone numbers on the card. */
  phones: {
    /** The number as written on the card. */
    number: string;
    /** The digits under which the network knows the person. Null if the card does not say. */
    phone: string | null;
  }[];
  /** The e-mail addresses on the card. */
  emails: string[];
  /** The card itself as a vCard, without pictures. */
  vcard: string;
}

/** A poll with what is known of its votes. */
export interface Poll {
  /** The question. */
  name: string;
  /** The options in their order. */
  options: {
    /** The text of the option. */
    text: string;
    /** How many people have chosen it, as far as is known. */
    votes: number;
  }[];
  /** True if more than one option may be chosen. */
  multipleAnswers: boolean;
  /** The latest vote of each voter, up to the newest 100. */
  votes: {
    /** True if the account itself did it. */
    fromMe: boolean;
    /** The other person who did it: the digits of a phone number, otherwise a chat id. Null for the account, or if unknown. */
    from: string | null;
    /** The contact who voted. Null if that is not known. */
    contactId: string | null;
    /** The chosen options. Null if the backend could not read the vote. */
    options: string[] | null;
    /** When it was chosen. */
    at: string;
  }[];
  /** How many more people have voted than are listed; the counts of the options include them. Missing if all are listed. */
  moreVotes?: number;
}

/** A call that reached the account. */
export interface Call {
  /** The status of the call. */
  status: 'received' | 'rejected' | 'accepted';
  /** True for a video call. */
  isVideo: boolean;
  /** True for a call to a group. */
  isGroup: boolean;
}

/** A line that the network itself put into a chat. */
export interface Notice {
  /** The subject of the notice. */
  type: 'group' | 'message_pinned' | 'call_log' | 'encryption' | 'system';
  /** The change in the group. Missing for other notices. */
  group?: {
    /** The change, as `group.updated` names it. */
    changed: string[];
    /** The group's name at that time. Null if it was not known. */
    name: string | null;
    /** The others who joined or left, or whose role changed. */
    participants: {
      /** The address under which the network shows them in the group. */
      chatId: string;
      /** The change, as `group.updated` names it. */
      change: string;
    }[];
  };
}

/** Replaces a payload that is too large to be posted. */
export interface LinkedPayload {
  /** The address of the whole event, without a key, as long as it is kept. */
  payloadUrl: string;
  /** The size of the whole event. */
  sizeBytes: number;
  /** The id of a message. */
  messageId?: string;
  /** The id of a conversation. */
  conversationId?: string;
  /** The contact, if the event names one. */
  contactId?: string | null;
  /** The id of a session. */
  sessionId?: string;
  /** The chat's id on the network. */
  chatId?: string;
  /** When it happened, in Unix seconds. */
  timestamp?: number;
}

/** Replaces a payload about a person whose data has been erased since. */
export interface ErasedPayload {
  /** The content of the event was erased. */
  erased: true;
  /** The id of a message. */
  messageId?: string;
  /** The conversation that it was about. */
  conversationId?: string | null;
  /** The contact that it was about. */
  contactId?: string | null;
  /** The id of a session. */
  sessionId?: string;
  /** When it happened, in Unix seconds. */
  timestamp?: number;
}

/** The event's owner, id and position. */
export interface EventMetadata {
  /** The agency that the event belongs to. */
  agencyId: string;
  /** Null in events about an endpoint of several tenants. */
  tenantId: string | null;
  /** The event's id, the same at every attempt and in every resend. */
  eventId: string;
  /** Gapless per session over the default event types: a gap means that an event is still being sent. Other types have the number of the last one before them. */
  sequence: number;
  /** Null in events about an endpoint. */
  sessionId: string | null;
  /** The conversation of the event. Null if none. */
  conversationId: string | null;
  /** When it happened. */
  occurredAt: string;
  /** Only in events requested to test an endpoint. */
  test?: true;
}
