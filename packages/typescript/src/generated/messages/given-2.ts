// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface MessagesSearchQuery {
  /** Words that the message must contain, all of them, at most 16. Upper and lower case, accents and punctuation are ignored. */
  q: string;
  /** Only messages of one session, by its id or name. Defaults to all sessions of the tenant, or of the key. */
  session?: string | undefined;
  /** Only messages of one conversation. */
  conversationId?: string | undefined;
  /** Only messages of the conversations with this contact. */
  contactId?: string | undefined;
  /** With `true`, only messages written from the account; with `false`, only messages that others wrote. */
  fromMe?: string | undefined;
  /** The kind of message. */
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
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface MessagesListActionsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
