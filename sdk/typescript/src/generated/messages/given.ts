// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Attachment, Button, ListRow, SendContact, SendLocation, SendPoll } from '../shared/given.ts';

/** One content, and to whom: a text, attachments, or both; or else a location, contacts, a poll, or a forward. */
export interface SendMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The session that it goes through, by its id or name; the tenant's default one when left out. */
  session?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without one is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; it goes through the session of that conversation. */
  conversationId?: string | undefined;
  /** A message of its own before the attachments, or the caption of a single image, document or video. */
  text?: string | undefined;
  /** Each becomes a message, in this order. */
  attachments?: Attachment[] | undefined;
  /** Phone numbers or chat ids of the people that the text names with @. */
  mentions?: string[] | undefined;
  /** A place on the map. */
  location?: SendLocation | undefined;
  /** One to 10 people, shown as contact cards in one message. */
  contacts?: SendContact[] | undefined;
  /** A question with answers to choose from. */
  poll?: SendPoll | undefined;
  /** A sticker. No engine of the backend sends any yet, so the answer is 501. */
  sticker?:
    | {
        /** Where the picture is, http or https. */
        url: string;
      }
    | undefined;
  /** A message of the same session that is repeated, marked as forwarded. */
  forward?:
    | {
        /** A message that the same session has sent or received. */
        messageId: string;
      }
    | undefined;
  /** When it becomes due, with any offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** Discard it if it has not been sent by then; 24 hours after it became due when left out. */
  expiresAt?: string | undefined;
  /** The messageId that it quotes. It must be of the same conversation. */
  replyTo?: string | undefined;
  /** True for what the contact gets although they have opted out, such as the answer to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is one of many: it waits for everything else, and nobody watches its ack. Left out, it is `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** One file. */
export interface SendMedia {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The session that it goes through, by its id or name; the tenant's default one when left out. */
  id?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without one is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; it goes through the session of that conversation. */
  conversationId?: string | undefined;
  /** Where the file is: http or https, 2,048 characters at most, without a user name or password. The engine fetches it when the message goes out. */
  url: string;
  /** How the contact is shown the file: `document` as a file to open. */
  kind: 'image' | 'document' | 'audio' | 'video';
  /** The words under the file, in 4096 characters at most. With audio they are a text of its own behind the file. */
  text?: string | undefined;
  /** The same as `text`. Give one of the two. */
  caption?: string | undefined;
  /** When it becomes due, with any offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** Discard it if it has not been sent by then; 24 hours after it became due when left out. */
  expiresAt?: string | undefined;
  /** The messageId that it quotes. It must be of the same conversation. */
  replyTo?: string | undefined;
  /** True for what the contact gets although they have opted out, such as the answer to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is one of many: it waits for everything else, and nobody watches its ack. Left out, it is `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** A text with buttons under it. */
export interface SendButtons {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The session that it goes through, by its id or name; the tenant's default one when left out. */
  session?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without one is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; it goes through the session of that conversation. */
  conversationId?: string | undefined;
  /** A line above the text, in 1,024 characters at most. */
  header?: string | undefined;
  /** The words above the buttons. Required, here or as `body`. */
  text?: string | undefined;
  /** The same as `text`. Give one of the two. */
  body?: string | undefined;
  /** A small line below the text, in 1,024 characters at most. */
  footer?: string | undefined;
  /** One to ten buttons. No two may have the same id or the same text. */
  buttons: Button[];
  /** When it becomes due, with any offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** Discard it if it has not been sent by then; 24 hours after it became due when left out. */
  expiresAt?: string | undefined;
  /** The messageId that it quotes. It must be of the same conversation. */
  replyTo?: string | undefined;
  /** True for what the contact gets although they have opted out, such as the answer to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is one of many: it waits for everything else, and nobody watches its ack. Left out, it is `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** A text with a list to choose from. */
export interface SendList {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The session that it goes through, by its id or name; the tenant's default one when left out. */
  session?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without one is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; it goes through the session of that conversation. */
  conversationId?: string | undefined;
  /** The words of the message, between its title and the list's button. */
  text?: string | undefined;
  /** The list: its title, what its button says, and its sections. */
  message: {
    /** The heading of the message, in 1 to 256 characters. */
    title: string;
    /** What is written on the button that opens the list. */
    button: string;
    /** A small line below the text, in 1,024 characters at most. */
    footer?: string | undefined;
    /** One to twenty sections. No two rows may have the same id or the same title. */
    sections: {
      /** The heading of the section; empty for none. */
      title: string;
      /** One to fifty rows. */
      rows: ListRow[];
    }[];
    /** The same as `text`. Give one of the two. */
    description?: string | undefined;
  };
  /** When it becomes due, with any offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** Discard it if it has not been sent by then; 24 hours after it became due when left out. */
  expiresAt?: string | undefined;
  /** The messageId that it quotes. It must be of the same conversation. */
  replyTo?: string | undefined;
  /** True for what the contact gets although they have opted out, such as the answer to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is one of many: it waits for everything else, and nobody watches its ack. Left out, it is `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** Whether a second copy is meant. */
export interface ResendMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Also when it was sent, or was sent again already: the contact may get it twice. Left out, it is `false`. */
  force?: boolean | undefined;
}

/** What somebody has seen in the chat. */
export interface ResolveMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** What became of it. */
  outcome: 'sent' | 'resend' | 'failed';
  /** Who says so, in 1 to 128 characters. */
  actor: string;
  /** Why, in 1 to 500 characters; kept in the history of the message. */
  reason: string;
}

/** At least one change; what is left out stays as it is. `text` is also the words of buttons and lists and the caption of a file. */
export interface ChangeMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The new words; also those of buttons and lists, and the caption of a file. */
  text?: string | undefined;
  /** When it becomes due, with any offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** Discard it if it has not been sent by then; 24 hours after it became due when left out. */
  expiresAt?: string | undefined;
}

/** How much of the request is cancelled. */
export interface CancelMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Also what else of its request waits. When left out: true for the first message of a request, whose id is the `messageId` of its answer, and false for the others. */
  wholeRequest?: boolean | undefined;
}

/** The new words of a text. */
export interface EditMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** What the message says from then on. */
  text: string;
}

/** Nothing beside the message that the path names. */
export interface RevokeMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

/** The account's reaction to a message. */
export interface ReactToMessage {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The account's reaction, one emoji. Null takes it away. */
  emoji: string | null;
}

export interface MessagesListQuery {
  /** Only messages in this state. */
  status?: 'scheduled' | 'queued' | 'sending' | 'failed' | 'uncertain' | 'cancelled' | undefined;
  /** Those of one session, by its id or name. */
  session?: string | undefined;
  /** Only those of one conversation. */
  conversationId?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface MessagesReadStatusQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
