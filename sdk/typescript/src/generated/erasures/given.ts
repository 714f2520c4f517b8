// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Who has a person erased. */
export interface EraseContact {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Who asks for it, in 1 to 128 characters. */
  actor?: string | undefined;
}

export interface ErasuresReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface ErasuresListQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}
