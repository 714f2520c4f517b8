// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The session of the key, and what it may do. */
export interface CreateApiKey {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** A session id or name. If omitted, the tenant's default session. */
  sessionId?: string | undefined;
  /** A name to tell keys apart, such as its holder or purpose, in 1 to 100 characters. */
  name: string;
  /** The permissions of the key for its session. Defaults to `send`, `read`, `sessions` and `passthrough`. */
  scopes?: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'passthrough')[] | undefined;
  /** The recipient of requests that name none: a phone number, a contactId or a chat id. If omitted, the recipient in the tenant's settings. */
  defaultRecipient?: string | undefined;
  /** When the key ends. If omitted, never. */
  expiresAt?: string | undefined;
}

/** The purpose and the permissions of the key. */
export interface CreateDashboardKey {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** A name to tell keys apart, such as its holder or purpose, in 1 to 100 characters. */
  name: string;
  /** All that the key may do for the agency. If omitted, everything. */
  scopes?:
    | ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys' | 'passthrough' | 'admin:read' | 'erase')[]
    | undefined;
  /** When the key ends. If omitted, never. */
  expiresAt?: string | undefined;
}

/** How long the old key still works, and why it is replaced. */
export interface RotateApiKey {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** How long the replaced key works next to the new one. 0 ends it within a second. Defaults to `86400`. */
  overlapSeconds?: number | undefined;
  /** True leaves the keys that the replaced key made to the new key. Otherwise, they end with the replaced key. Defaults to `false`. */
  keepKeys?: boolean | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
}

export interface ApiKeysListQuery {
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}

export interface ApiKeysRevokeQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
