// Made from openapi.json by `npm run client`: change the routes, not this file.

/** What the link shows, to whom and for how long. */
export interface CreateConsoleLink {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Show this session alone; all of the tenant when left out. */
  sessionId?: string | undefined;
  /** Show this webhook endpoint alone: how it does, its deliveries and attempts. Its page is `events`. */
  endpointId?: string | undefined;
  /** Whom the link is for, as the console shows it to them. */
  name: string;
  /** True where whoever has the link may look, and change nothing. Left out, it is `true`. */
  readOnly?: boolean | undefined;
  /** The pages that it opens; whatever else is asked for is refused. */
  pages?: ('connect' | 'inbox' | 'message' | 'events' | 'agent' | 'automations')[] | undefined;
  /** How long it can be opened, once: 300 to 604,800 seconds. Left out, it is `3600`. */
  expiresInSeconds?: number | undefined;
  /** How long whoever has opened it stays logged in. Left out, it is `43200`. */
  loginSeconds?: number | undefined;
  /** Origins whose pages may show it in a frame; none where it is empty. Left out, it is `[]`. */
  embedIn?: string[] | undefined;
}

export interface ConsoleLinksListQuery {
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface ConsoleLinksRevokeQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}
