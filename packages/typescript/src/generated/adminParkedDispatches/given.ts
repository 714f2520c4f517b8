// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface AdminParkedDispatchesListQuery {
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}
