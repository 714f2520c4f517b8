// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Who requests the erasure of a person. */
export interface EraseContact {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Who requests it, in 1 to 128 characters. */
  actor?: string | undefined;
}

export interface ErasuresReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface ErasuresListQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}
