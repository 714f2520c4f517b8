// Made from openapi.json by `npm run client`: change the routes, not this file.
import type {
  CallOutput,
  ContactCardOutput,
  LocationOutput,
  MessageErrorOutput,
  NoticeOutput,
  PollOutput,
  SelectedOutput,
} from '../shared/answered-2.ts';
import type { Plan } from '../shared/answered.ts';
import type { Button, ListRow } from '../shared/given.ts';

/** What was accepted, and what the AI agent may still say. */
export interface ReplyAccepted {
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
  /** AI messages that were claimed before the reply took the conversation over and may still reach the network. */
  inFlight: {
    /** The id of a message. */
    messageId: string;
    /** Where it stands: `sending`, or what it has become since. */
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
  }[];
}

/** A message of a conversation. */
export interface Message {
  /** True for what was written from the account, by whomever. */
  fromMe: boolean;
  /** The recipient: digits of a phone number, else a chat id. */
  to: string;
  /** The words of the message: its text, its caption, the text above buttons or a list, the title of a location, the names of contacts, or the question of a poll. */
  body: string;
  /** When it was written, in Unix seconds. */
  timestamp: number;
  /** How far the network says it has come: -1 error, 0 pending, 1 sent, 2 delivered, 3 read, 4 played. */
  ack: number;
  /** The name of the level in `ack`; `SERVER` is sent, `DEVICE` delivered. */
  ackName: 'ERROR' | 'PENDING' | 'SERVER' | 'DEVICE' | 'READ' | 'PLAYED';
  /** True where the message has a file, also while it is still being fetched. */
  hasMedia: boolean;
  /** The id of a message. */
  messageId: string;
  /** The sender: digits of a phone number, else a chat id. In groups the member. */
  from: string;
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
  /** Who wrote it: `network` the contact; ours by `api`, a `person` in a dashboard, the agent (`ai`), somebody on the `phone`, by a route of the backend (`passthrough`, which counts as a person's unless the request said otherwise), an `automation`, or from before the session was connected (`history`, which is also what contacts wrote then). */
  origin: 'api' | 'person' | 'ai' | 'phone' | 'history' | 'network' | 'passthrough' | 'automation';
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
  /** The same as `media.url`, which the specification does not name. */
  mediaUrl: string | null;
  /** The messageId that it quotes. Null where it quotes none, or one that is not known. */
  replyTo: string | null;
  /** Chat ids of the people whom our text names. */
  mentions: string[];
  /** The buttons under it. Null for other kinds. */
  buttons: {
    /** A line above the text, in 1,024 characters at most. */
    header?: string;
    /** A small line below the text, in 1,024 characters at most. */
    footer?: string;
    /** One to ten buttons. No two may have the same id or the same text. */
    buttons: Button[];
  } | null;
  /** The list that it offers. Null for other kinds. */
  list: {
    /** The heading of the message, in 1 to 256 characters. */
    title: string;
    /** What is written on the button that opens the list. */
    button: string;
    /** A small line below the text, in 1,024 characters at most. */
    footer?: string;
    /** One to twenty sections. No two rows may have the same id or the same title. */
    sections: {
      /** The heading of the section; empty for none. */
      title: string;
      /** One to fifty rows. */
      rows: ListRow[];
    }[];
  } | null;
  /** The message that it repeats. Only where the engine has forwarded one. */
  forwardOf?: string;
  /** What the person has chosen with it. */
  selected: SelectedOutput | null;
  /** Whether the session's engine shows buttons and lists as they are, or as numbered text. */
  renderedAs: 'native' | 'text' | null;
  /** The place. Missing where the message is no location. */
  location?: LocationOutput;
  /** The contact cards. Missing where the message is no contact. */
  contacts?: ContactCardOutput[];
  /** The poll. Missing where the message is no poll. */
  poll?: PollOutput;
  /** The call. Missing where the message is no call. */
  call?: CallOutput;
  /** The notice. Missing where the message is no notice. */
  notice?: NoticeOutput;
  /** True where the sender wants the file to be seen once: it is not kept, and the phone shows it. Missing otherwise. */
  viewOnce?: true;
  /** The network's own name of what the engine cannot show, for the kind `other`. Missing otherwise. */
  unsupported?: string;
  /** Its edits. Missing where it was never edited. */
  edited?: {
    /** When the newest edit was made. */
    at: string;
    /** What it has said so far, the first version first; the last one is `body`. */
    versions: {
      /** The words of this version. */
      body: string;
      /** When it was written. */
      at: string;
    }[];
  };
  /** When the engine heard that it was deleted for everybody; its words and its file are not shown any more. Missing otherwise. */
  revokedAt?: string;
  /** Who deleted it. */
  revokedBy?: 'account' | 'sender' | 'admin';
  /** The latest reaction of each person, the newest 100 of them. Missing where there is none. */
  reactions?: {
    /** True where the account itself did it. */
    fromMe: boolean;
    /** Who else did: digits of a phone number, else a chat id. Null for the account, and where nobody says. */
    from: string | null;
    /** The contact who reacted. Null where that is not known. */
    contactId: string | null;
    /** The emoji. */
    emoji: string;
    /** When it was put there. */
    at: string;
  }[];
  /** How many more people have reacted than are listed. Missing where all are listed. */
  moreReactions?: number;
  /** Why it was not sent, or may not have been. */
  error?: MessageErrorOutput;
}

/** What would become of a message that is sent now. */
export interface PlannedReply {
  /** When it would go out. Null where it would not. */
  plan: Plan | null;
  /** How buttons or a list would be shown. Null for a text. */
  renderedAs: 'native' | 'text' | null;
  /** Why it would not go out. Null where it would. */
  error: MessageErrorOutput | null;
}
