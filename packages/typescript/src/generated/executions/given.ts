// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface ExecutionsListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The kind of work. */
  kind?: 'automation' | 'ai' | 'actions' | 'rehearsal' | 'erasure' | 'export' | undefined;
  /** How far it is. */
  status?: 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
  /** Only what is done for this conversation and for those that were merged with it. */
  conversationId?: string | undefined;
  /** Only those that began from this time on. */
  since?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}
