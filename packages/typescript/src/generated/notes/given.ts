// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A note, its contact and its author. */
export interface CreateNote {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The text, 1 to 4,000 characters. */
  text: string;
  /** The contact that the note is about. */
  contactId?: string | undefined;
  /** A conversation with the contact, in place of `contactId`. */
  conversationId?: string | undefined;
  /** The name of the author, 1 to 128 characters. Defaults to the header `X-Engine-Actor`. */
  author?: string | undefined;
}

/** The new text of a note. */
export interface ChangeNote {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The text, 1 to 4,000 characters. */
  text: string;
}

export interface NotesListQuery {
  /** The id of a contact. */
  contactId: string;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface NotesDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
