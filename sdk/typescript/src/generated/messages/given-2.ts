// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface MessagesSearchQuery {
  /** Words that the message must have, all of them, 16 at most; small and capital letters, accents and punctuation do not count. `"in quotes"` they must stand in a row, and a star makes a word the beginning of one. */
  q: string;
  /** Only messages of one session, by its id or name; all of the tenant's, or of the key's, when left out. */
  session?: string | undefined;
  /** Only messages of one conversation. */
  conversationId?: string | undefined;
  /** Only messages of the conversations with this contact. */
  contactId?: string | undefined;
  /** With `true` only what was written from the account, with `false` only what others wrote. */
  fromMe?: string | undefined;
  /** What sort of message it is. */
  kind?:
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
    | 'forward'
    | undefined;
  /** Only messages from this time on. */
  since?: string | undefined;
  /** Only messages from before this time. */
  until?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface MessagesListActionsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
