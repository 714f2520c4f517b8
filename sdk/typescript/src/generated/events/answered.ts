// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Somebody has written to a session, in a chat or a group. */
export interface MessageEvent {
  /** The type of the event. */
  event: 'message';
  /** What has happened; a link to it where it is too large, ids alone where it told of who was erased. */
  payload:
    | {
        /** The words of the message; empty for a file without a caption. */
        body: string;
        /** When it was written, in Unix seconds. */
        timestamp: number;
        /** The sender's phone digits, else the chat id; `fromKind` says which. */
        from: string;
        /** Whether `from` is the digits of a phone number or a chat id. */
        fromKind: 'phone' | 'chat';
        /** The id of a message. */
        messageId: string;
        /** The id of a conversation. */
        conversationId: string;
        /** The contact who wrote it. Null where that is not known. */
        contactId: string | null;
        /** The network's name of the chat. */
        chatId: string;
        /** The name that the sender shows to others. */
        pushName: string | null;
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
          | 'notice';
        /** True where it has a file. */
        hasMedia: boolean;
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
            | 'media_pending'
            | 'media_unavailable'
            | 'media_too_large'
            | 'media_expired'
            | 'media_revoked'
            | 'media_erased';
        } | null;
        /** The same as `media.url`, which the specification does not name. */
        mediaUrl: string | null;
        /** The messageId that it quotes. Null where it quotes none. */
        replyTo: string | null;
        /** The option of a message with buttons or a list that was chosen: pressed, or answered by its number or its words where the message went as numbered text. */
        selected: Selected | null;
        /** Only where the backend had not told of it in time and it was fetched; it may be old. */
        recovered?: true;
        /** Only in messages of an account's past, which somebody has asked to be told of: they may be years old. */
        history?: true;
        /** The place. Missing where the message is no location. */
        location?: Location;
        /** The contact cards. Missing where the message is no contact. */
        contacts?: ContactCard[];
        /** The poll. Missing where the message is no poll. */
        poll?: Poll;
        /** The call. Missing where the message is no call. */
        call?: Call;
        /** The notice. Missing where the message is no notice. */
        notice?: Notice;
        /** True where the sender wants the file to be seen once: it is not kept, and the phone shows it. Missing otherwise. */
        viewOnce?: true;
        /** The network's own name of what the engine cannot show, for the kind `other`. Missing otherwise. */
        unsupported?: string;
      }
    | LinkedPayload
    | ErasedPayload;
  /** Whose the event is, its id and its place. */
  metadata: EventMetadata;
}

/** The option of a message with buttons or a list that a contact has chosen. */
export interface Selected {
  /** The `id` of the button, or the `rowId` of the row. */
  id: string;
  /** What was written on it. */
  text: string;
  /** The message that offered it. Null where that is not known. */
  messageId: string | null;
}

/** A place that a message shows. */
export interface Location {
  /** The latitude in degrees. */
  latitude: number;
  /** The longitude in degrees. */
  longitude: number;
  /** The name of the place. Null where none was given. */
  name: string | null;
  /** The address of the place. Null where none was given. */
  address: string | null;
  /** A page about the place. Null where none was given. */
  url: string | null;
  /** True for a location that the sender shares while moving: this is where the sharing began, and the network shows its way on phones only. */
  live: boolean;
}

/** A contact card that a message carries. */
export interface ContactCard {
  /** The name on the card. Null where it has none. */
  name: string | null;
  /** The organization on the card. Null where it has none. */
  organization: string | null;
  /** The phone numbers on the card. */
  phones: {
    /** The number as the card writes it. */
    number: string;
    /** The digits under which the network knows the person. Null where the card does not say. */
    phone: string | null;
  }[];
  /** The e-mail addresses on the card. */
  emails: string[];
  /** The card itself as a vCard, without pictures. */
  vcard: string;
}

/** A poll with what is known of its votes. */
export interface Poll {
  /** What is asked. */
  name: string;
  /** The options in their order. */
  options: {
    /** What can be chosen. */
    text: string;
    /** How many have chosen it, by what is known. */
    votes: number;
  }[];
  /** True where more than one option may be chosen. */
  multipleAnswers: boolean;
  /** The latest vote of each voter, the newest 100 of them. */
  votes: {
    /** True where the account itself did it. */
    fromMe: boolean;
    /** Who else did: digits of a phone number, else a chat id. Null for the account, and where nobody says. */
    from: string | null;
    /** The contact who voted. Null where that is not known. */
    contactId: string | null;
    /** What was chosen. Null where the backend could not read the vote. */
    options: string[] | null;
    /** When it was chosen. */
    at: string;
  }[];
  /** How many more have voted than are listed; the options count them, too. Missing where all are listed. */
  moreVotes?: number;
}

/** A call that has reached the account. */
export interface Call {
  /** How far it has come. */
  status: 'received' | 'rejected' | 'accepted';
  /** True for a video call. */
  isVideo: boolean;
  /** True for a call to a group. */
  isGroup: boolean;
}

/** What the network itself has put into a chat. */
export interface Notice {
  /** What it says. */
  type: 'group' | 'message_pinned' | 'call_log' | 'encryption' | 'system';
  /** What has become of the group. Missing for other notices. */
  group?: {
    /** What is other than before, as `group.updated` names it. */
    changed: string[];
    /** The group's name then. Null where it was not known. */
    name: string | null;
    /** The others who came or went, or have another role. */
    participants: {
      /** The address under which the network shows them in the group. */
      chatId: string;
      /** What is other than before, as `group.updated` names it. */
      change: string;
    }[];
  };
}

/** Stands in for a payload that is too large to be posted. */
export interface LinkedPayload {
  /** Where the whole event is read, without a key, as long as it is kept. */
  payloadUrl: string;
  /** Of the whole event. */
  sizeBytes: number;
  /** The id of a message. */
  messageId?: string;
  /** The id of a conversation. */
  conversationId?: string;
  /** The contact, where the event names one. */
  contactId?: string | null;
  /** The id of a session. */
  sessionId?: string;
  /** The network's name of the chat. */
  chatId?: string;
  /** When it happened, in Unix seconds. */
  timestamp?: number;
}

/** Stands in for a payload that told of a person who was erased since. */
export interface ErasedPayload {
  /** What the event told was erased. */
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

/** Whose the event is, its id and its place. */
export interface EventMetadata {
  /** The agency that the event belongs to. */
  agencyId: string;
  /** Null in events of an endpoint that serves several tenants. */
  tenantId: string | null;
  /** The id of the event, the same at every attempt and in every resend. */
  eventId: string;
  /** Gapless per session over the default kinds: a hole means that an event is still on its way. Other kinds bear the number of the last one before them. */
  sequence: number;
  /** Null in events of an endpoint. */
  sessionId: string | null;
  /** The conversation of it. Null where it is about none. */
  conversationId: string | null;
  /** When it happened. */
  occurredAt: string;
  /** Only in events that somebody asked for to try an endpoint. */
  test?: true;
}
