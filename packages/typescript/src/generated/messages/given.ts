// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Attachment, Button, ListRow, SendContact, SendLocation, SendPoll } from '../shared/given.ts';

/** One kind of content and its recipient: a text, attachments, or both; or one of a location, contacts, a poll, or a forward. */
export interface SendMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The session that sends it, by its id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without a country code is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; the session of that conversation sends it. */
  conversationId?: string | undefined;
  /** A separate message before the attachments, or the caption of a single image, document or video. */
  text?: string | undefined;
  /** Each becomes a message, in this order. */
  attachments?: Attachment[] | undefined;
  /** Phone numbers or chat ids of the people that the text mentions with @. */
  mentions?: string[] | undefined;
  /** A place on the map. */
  location?: SendLocation | undefined;
  /** One to 10 people, shown as contact cards in one message. */
  contacts?: SendContact[] | undefined;
  /** A question with answers to choose from. */
  poll?: SendPoll | undefined;
  /** A sticker. No engine of the backend can send one yet, so the response is 501. */
  sticker?:
    | {
        /** The address of the picture, http or https. */
        url: string;
      }
    | undefined;
  /** A message of the same session to forward, marked as forwarded. */
  forward?:
    | {
        /** A message that the same session has sent or received. */
        messageId: string;
      }
    | undefined;
  /** When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due. */
  expiresAt?: string | undefined;
  /** The messageId of the message that it quotes. It must be in the same conversation. */
  replyTo?: string | undefined;
  /** True sends it even if the contact has opted out, such as a reply to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is for mass messages: it waits for everything else, and its ack is not watched. Defaults to `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** One file. */
export interface SendMedia {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The session that sends it, by its id or name. Defaults to the tenant's default session. */
  id?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without a country code is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; the session of that conversation sends it. */
  conversationId?: string | undefined;
  /** The address of the file: http or https, up to 2,048 characters, without a user name or password. The engine fetches it when the message goes out. */
  url: string;
  /** How the file is shown to the contact; `document` shows it as a file to open. */
  kind: 'image' | 'document' | 'audio' | 'video';
  /** The caption of the file, up to 4096 characters. With audio it is sent as a separate text after the file. */
  text?: string | undefined;
  /** The same as `text`. Send only one of the two. */
  caption?: string | undefined;
  /** When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due. */
  expiresAt?: string | undefined;
  /** The messageId of the message that it quotes. It must be in the same conversation. */
  replyTo?: string | undefined;
  /** True sends it even if the contact has opted out, such as a reply to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is for mass messages: it waits for everything else, and its ack is not watched. Defaults to `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** A text with buttons under it. */
export interface SendButtons {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The session that sends it, by its id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without a country code is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; the session of that conversation sends it. */
  conversationId?: string | undefined;
  /** A line above the text, up to 1,024 characters. */
  header?: string | undefined;
  /** The text above the buttons. Required, here or as `body`. */
  text?: string | undefined;
  /** The same as `text`. Send only one of the two. */
  body?: string | undefined;
  /** A small line below the text, up to 1,024 characters. */
  footer?: string | undefined;
  /** One to ten buttons. No two may have the same id or the same text. */
  buttons: Button[];
  /** When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due. */
  expiresAt?: string | undefined;
  /** The messageId of the message that it quotes. It must be in the same conversation. */
  replyTo?: string | undefined;
  /** True sends it even if the contact has opted out, such as a reply to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is for mass messages: it waits for everything else, and its ack is not watched. Defaults to `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** A text with a list to choose from. */
export interface SendList {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The session that sends it, by its id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** A phone number with its country code, or a contactId. A number without a country code is read in the tenant's default country. */
  to?: string | undefined;
  /** A contact of the tenant. */
  contactId?: string | undefined;
  /** A raw chat id of the network. */
  chatId?: string | undefined;
  /** A conversation of the tenant; the session of that conversation sends it. */
  conversationId?: string | undefined;
  /** The text of the message, between its title and the list's button. */
  text?: string | undefined;
  /** The list: its title, the text of its button, and its sections. */
  message: {
    /** The heading of the message, 1 to 256 characters. */
    title: string;
    /** The text on the button that opens the list. */
    button: string;
    /** A small line below the text, up to 1,024 characters. */
    footer?: string | undefined;
    /** One to twenty sections. No two rows may have the same id or the same title. */
    sections: {
      /** The heading of the section; empty for none. */
      title: string;
      /** One to fifty rows. */
      rows: ListRow[];
    }[];
    /** The same as `text`. Send only one of the two. */
    description?: string | undefined;
  };
  /** When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due. */
  expiresAt?: string | undefined;
  /** The messageId of the message that it quotes. It must be in the same conversation. */
  replyTo?: string | undefined;
  /** True sends it even if the contact has opted out, such as a reply to an order. Otherwise a message to such a contact ends at once as `failed`, `opted_out`. */
  transactional?: boolean | undefined;
  /** `bulk` is for mass messages: it waits for everything else, and its ack is not watched. Defaults to `normal`. */
  priority?: 'normal' | 'bulk' | undefined;
}

/** Whether a second copy is intended. */
export interface ResendMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** True resends it even if it was sent, or was already sent again: the contact may get it twice. Defaults to `false`. */
  force?: boolean | undefined;
}

/** The state of the message in the chat, as a person saw it. */
export interface ResolveMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The outcome. */
  outcome: 'sent' | 'resend' | 'failed';
  /** The person who says so, 1 to 128 characters. */
  actor: string;
  /** Why, 1 to 500 characters; kept in the history of the message. */
  reason: string;
}

/** At least one change; omitted fields stay unchanged. `text` is also the text of buttons and lists and the caption of a file. */
export interface ChangeMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The new text; also the text of buttons and lists, and the caption of a file. */
  text?: string | undefined;
  /** When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due. */
  expiresAt?: string | undefined;
}

/** How much of the request is cancelled. */
export interface CancelMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** True also cancels the other waiting messages of the same request. Defaults to true for the first message of a request. */
  wholeRequest?: boolean | undefined;
}

/** The new text of a text message. */
export interface EditMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The new text of the message. */
  text: string;
}

/** No fields: the path names the message. */
export interface RevokeMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

/** The account's reaction to a message. */
export interface ReactToMessage {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The account's reaction, one emoji. Null removes it. */
  emoji: string | null;
}

export interface MessagesListQuery {
  /** Only messages in this state. */
  status?: 'scheduled' | 'queued' | 'sending' | 'failed' | 'uncertain' | 'cancelled' | undefined;
  /** Only messages of one session, by its id or name. */
  session?: string | undefined;
  /** Only messages of one conversation. */
  conversationId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface MessagesReadStatusQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
