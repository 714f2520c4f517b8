// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The person who requests the erasure. */
export interface EraseContact {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The person who requests it, 1 to 128 characters. */
  actor?: string | undefined;
}

export interface ErasuresReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface ErasuresListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}
