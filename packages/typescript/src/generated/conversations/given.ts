// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Attachment, SendContact, SendLocation, SendPoll } from '../shared/given.ts';

/** A reply with its author: one kind of content, as in a send. */
export interface ReplyToConversation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The text of the reply, or the caption of a single file. */
  text?: string | undefined;
  /** The same as `text`. Send only one of the two. */
  content?: string | undefined;
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
  /** A person's reply takes the conversation over from the AI. Defaults to `person`. */
  actor?: 'person' | 'bot' | undefined;
}

/** The person who gets the conversation, and the reason. */
export interface AssignConversation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. It is in the history. */
  actor?: string | undefined;
  /** The new assignee: a name or an id of the dashboard's own, 1 to 128 characters. */
  assignee?: string | undefined;
  /** The reason, 1 to 500 characters; it is in the event and in the history. */
  reason?: string | undefined;
}

/** The person who returns the conversation, and the reason. */
export interface ReleaseConversation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. It is in the history. */
  actor?: string | undefined;
  /** The reason, 1 to 500 characters; it is in the history. */
  reason?: string | undefined;
}

/** How much was read, and who is notified. */
export interface ReadConversation {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The newest message that was shown; messages after it stay unread. If omitted, all messages are marked as read. */
  upTo?: string | undefined;
  /** Ends the wait of the chat (`waitingSince`) without an answer. With `upTo`, only messages up to that one count. Defaults to `false`. */
  needsNoAnswer?: boolean | undefined;
  /** Shows the contact that the chat was read, as a phone does. Applies to the whole chat, even with `upTo`. Defaults to `false`. */
  tellNetwork?: boolean | undefined;
}

/** The action for chats that wait for an answer. */
export interface SettleOwed {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** `answer`: the agent answers these chats again, also those that it handed over because it was late. `hand_over`: a person gets them. */
  action: 'answer' | 'hand_over';
  /** With `hand_over`: who gets them, a name or an id of the dashboard's own. Chats that the agent handed over before and that nobody has are then included. */
  assignee?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. */
  actor?: string | undefined;
  /** The reason, 1 to 500 characters; it is in the history. */
  reason?: string | undefined;
  /** How many chats at most, 1 to 200; 100 if omitted. */
  limit?: number | undefined;
}

/** The activity of one person in a conversation. */
export interface ShowViewer {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** An id that the browser tab chose, 1 to 64 letters, digits, hyphens or underscores. */
  viewerId: string;
  /** The name of the person, 1 to 128 characters. Defaults to the header `X-Engine-Actor`. */
  name?: string | undefined;
  /** The activity. */
  state: 'reading' | 'writing' | 'left';
}

export interface ConversationsListMessagesQuery {
  /** The maximum number of rows, 1 to 1,000. */
  limit?: number | undefined;
  /** How many rows to skip first, 0 to 100,000. A `cursor` reads a long list faster. */
  offset?: number | undefined;
  /** The `nextCursor` of a response, for the page after it, or its `newerCursor`, for newer messages. */
  cursor?: string | undefined;
  /** Only messages older than this: a messageId of the conversation, or a time. */
  before?: string | undefined;
  /** Only messages newer than this, the nearest to it: a messageId of the conversation, or a time. `nextCursor` then leads to newer ones. */
  after?: string | undefined;
  /** The messages around this, half of the page on each side: a messageId of the conversation, or a time. */
  around?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConversationsReadPlanQuery {
  /** The message to plan. Files are planned like a text. */
  kind?: 'text' | 'buttons' | 'list' | undefined;
  /** A person's reply takes the conversation over from the AI. */
  actor?: 'person' | 'bot' | undefined;
  /** When it becomes due, with any UTC offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** The message is discarded if it has not been sent by then. Defaults to 24 hours after it becomes due. */
  expiresAt?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConversationsListQuery {
  /** The maximum number of rows, 1 to 1,000. */
  limit?: number | undefined;
  /** How many rows to skip first, 0 to 100,000. A `cursor` reads a long list faster. */
  offset?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** How many pages of 20 chats are brought up to date, 1 to 20. */
  pages?: number | undefined;
  /** Only chats with words that begin with these terms, at most 16. It searches the chat's name, and the contact's name and phone number. */
  search?: string | undefined;
  /** With `true`, only chats with unread messages; with `false`, only those without. */
  unread?: string | undefined;
  /** With `true`, only chats whose contact waits for an answer (`waitingSince`), the longest wait first; with `false`, only the others. */
  waiting?: string | undefined;
  /** The side that answers. */
  mode?: 'bot_active' | 'human_takeover' | undefined;
  /** Only chats that this `assignee` has. */
  assignedTo?: string | undefined;
  /** Only chats with this label, by the network's id of the label. */
  label?: string | undefined;
  /** Only chats in which someone has written, read or taken over since this time, or whose name has changed. Go back a few seconds before your last request, because a change becomes visible a moment after its time. */
  updatedSince?: string | undefined;
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConversationsReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConversationsListParticipantsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConversationsListViewersQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConversationsListColleaguesQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
