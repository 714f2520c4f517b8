// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { Attachment, SendContact, SendLocation, SendPoll } from '../shared/given.ts';

/** What is said in the conversation, and by whom; one content, as when a message is sent. */
export interface ReplyToConversation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The words of the reply, or the caption of a single file. */
  text?: string | undefined;
  /** The same as `text`. Give one of the two. */
  content?: string | undefined;
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
  /** A person's reply takes the conversation over from the AI. Left out, it is `person`. */
  actor?: 'person' | 'bot' | undefined;
}

/** Who gets the conversation, and why. */
export interface AssignConversation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Whose it is now: a name or an id of the dashboard's own, in 1 to 128 characters. */
  assignee?: string | undefined;
  /** Why, in 1 to 500 characters; it is in the event and in the history. */
  reason?: string | undefined;
}

/** How much was read, and who is told. */
export interface ReadConversation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The newest message that was shown; what came after it stays unread. All is read where it is left out. */
  upTo?: string | undefined;
  /** Shows the contact that the chat was read, as a phone does. For the whole chat, also with `upTo`. Left out, it is `false`. */
  tellNetwork?: boolean | undefined;
}

export interface ConversationsListMessagesQuery {
  /** How many are listed at most, 1 to 1,000. */
  limit?: number | undefined;
  /** How many are left out first, 0 to 100,000. A `cursor` reads a long list faster. */
  offset?: number | undefined;
  /** An answer's `nextCursor`, for the page after it, or its `newerCursor`, for what is newer. */
  cursor?: string | undefined;
  /** Only older ones than this: a messageId of the conversation, or a time. */
  before?: string | undefined;
  /** Only newer ones than this, the nearest to it: a messageId of the conversation, or a time. `nextCursor` then leads on to newer ones. */
  after?: string | undefined;
  /** What was said around this, half of the page on each side: a messageId of the conversation, or a time. */
  around?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface ConversationsReadPlanQuery {
  /** What would be sent. Files are planned as a text is. */
  kind?: 'text' | 'buttons' | 'list' | undefined;
  /** A person's reply takes the conversation over from the AI. */
  actor?: 'person' | 'bot' | undefined;
  /** When it becomes due, with any offset, at most a year ahead. A past time sends immediately. */
  sendAt?: string | undefined;
  /** Discard it if it has not been sent by then; 24 hours after it became due when left out. */
  expiresAt?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface ConversationsListQuery {
  /** How many are listed at most, 1 to 1,000. */
  limit?: number | undefined;
  /** How many are left out first, 0 to 100,000. A `cursor` reads a long list faster. */
  offset?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** How deep the list is brought up to date, in pages of 20 chats, 1 to 20. */
  pages?: number | undefined;
  /** Only chats whose name, or whose contact's name or phone, has all these beginnings of words, 16 at most; of a phone any part is found. Small and capital letters and accents do not count. */
  search?: string | undefined;
  /** With `true` only chats with unread messages, with `false` only those without. */
  unread?: string | undefined;
  /** Who answers. */
  mode?: 'bot_active' | 'human_takeover' | undefined;
  /** Only chats that this `assignee` has. */
  assignedTo?: string | undefined;
  /** Only chats with this label, by the network's id of the label. */
  label?: string | undefined;
  /** Only chats in which somebody has written, read or taken over since this time, or whose name has changed. Go some seconds further back than your last look, because a change shows a moment after its time. */
  updatedSince?: string | undefined;
  /** A session's id or name. The tenant's default session when left out. */
  session?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface ConversationsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface ConversationsReleaseQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface ConversationsListParticipantsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
