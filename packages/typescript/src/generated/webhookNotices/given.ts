// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface WebhookNoticesListQuery {
  /** Only those about this endpoint. */
  endpointId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface WebhookNoticesListAllQuery {
  /** Only those about this endpoint. */
  endpointId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** Only those of this agency. */
  agencyId?: string | undefined;
}
