// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface ExecutionsListQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** What it does. */
  kind?: 'automation' | 'ai' | 'actions' | 'rehearsal' | 'erasure' | 'export' | undefined;
  /** How far it is. */
  status?: 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
  /** The id of a conversation. */
  conversationId?: string | undefined;
  /** Only those that began from then on. */
  since?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}
