// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The pages, the person and the lifetime of the link. */
export interface CreateConsoleLink {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** Show only this session. If omitted, the whole tenant. */
  sessionId?: string | undefined;
  /** Show only this webhook endpoint: its health, its deliveries and attempts. Its page is `events`. */
  endpointId?: string | undefined;
  /** The person for whom the link is. The console shows this name, and the audit log has it. */
  name: string;
  /** True if the holder of the link can only look and change nothing. Defaults to `true`. */
  readOnly?: boolean | undefined;
  /** All that the holder may do, as far as `readOnly` and `pages` allow it. If omitted, what your key may do of `send`, `read`, `sessions` and `webhooks`. */
  scopes?: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks')[] | undefined;
  /** The pages that it opens. If omitted, all; with `sessionId`, all but `agent`. */
  pages?: ('connect' | 'inbox' | 'message' | 'events' | 'agent' | 'automations')[] | undefined;
  /** How long it can be opened, once: 300 to 604,800 seconds. Defaults to `3600`. */
  expiresInSeconds?: number | undefined;
  /** How long the person who opened it stays logged in. Defaults to `43200`. */
  loginSeconds?: number | undefined;
  /** Origins whose pages may show it in a frame. If empty, none. Defaults to `[]`. */
  embedIn?: string[] | undefined;
}

export interface ConsoleLinksListQuery {
  /** Only the links that this key created. */
  keyId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ConsoleLinksRevokeOfKeyQuery {
  /** The key that created the links. */
  keyId: string;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface ConsoleLinksRevokeQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
