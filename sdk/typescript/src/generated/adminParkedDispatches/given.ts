// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface AdminParkedDispatchesListQuery {
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}
