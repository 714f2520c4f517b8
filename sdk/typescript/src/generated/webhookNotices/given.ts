// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface WebhookNoticesListQuery {
  /** Only those about one endpoint. */
  endpointId?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface WebhookNoticesListAllQuery {
  /** Only those about one endpoint. */
  endpointId?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** Only those of one agency. */
  agencyId?: string | undefined;
}
