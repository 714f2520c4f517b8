// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The session of the key, and what it may do. */
export interface CreateApiKey {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With other keys you may omit it if the agency has only one tenant, or if path, query or body names an object of the tenant, such as a session. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** A session id or name. If omitted, the tenant's default session. */
  sessionId?: string | undefined;
  /** A name to tell keys apart, such as its holder or purpose, in 1 to 100 characters. */
  name: string;
  /** All that the key may do for its session. If omitted: `send`, `read`, `sessions` and `passthrough`, and `ai:admin` if the tenant has only this session now and your key has the scope. `ai:admin` sets the state and the persona of the AI sales agent and the facts about the tenant, which apply to all sessions of the tenant. `webhooks` posts the session's events to URLs, which continues when the key has ended. */
  scopes?: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'passthrough')[] | undefined;
  /** Who gets a message if the request names no recipient: a phone number, a contactId or a chat id. If omitted, the recipient in the tenant's settings. */
  defaultRecipient?: string | undefined;
  /** When the key ends. If omitted, never. */
  expiresAt?: string | undefined;
}

/** What the key is for, and what it may do. */
export interface CreateDashboardKey {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
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
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** How long the replaced key works next to the new one. 0 ends it within a second. Defaults to `86400`. */
  overlapSeconds?: number | undefined;
  /** True leaves the keys that the replaced key made to the new key. Otherwise, they end with the replaced key. Logins, console links, connect links and upload ids always end with it. Defaults to `false`. */
  keepKeys?: boolean | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
}

export interface ApiKeysListQuery {
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface ApiKeysRevokeQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}
