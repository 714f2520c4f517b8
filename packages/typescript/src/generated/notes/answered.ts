// Made from openapi.json by `npm run client`: change the routes, not this file.

/** A note of the team about a contact. Only the team sees it. */
export interface Note {
  /** The id of a note. */
  id: string;
  /** The agency of the tenant. */
  agencyId: string;
  /** The tenant that the note belongs to. */
  tenantId: string;
  /** The id of a contact. */
  contactId: string;
  /** The text. */
  text: string;
  /** The name of the author. Null if none was given. */
  author: string | null;
  /** When it was written. */
  createdAt: string;
  /** When its text last changed. */
  updatedAt: string;
}

export interface NotesListAnswer {
  /** The notes on this page. */
  notes: Note[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
