// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The session of the key, and what it may do. */
export interface CreateApiKey {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** A session id or name; the tenant's default session when left out. */
  sessionId?: string | undefined;
  /** To tell keys apart: who has it, or what for, in 1 to 100 characters. */
  name: string;
  /** All that the key may do for its session; `send`, `read`, `sessions` and `passthrough` when left out. `ai:admin` sets the state and the persona of the AI sales agent and the facts about the tenant, which hold for all sessions of the tenant. `webhooks` has the events of the session posted to URLs, which goes on when the key has ended. */
  scopes?: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'passthrough')[] | undefined;
  /** Who gets a message whose request names nobody: a phone number, a contactId or a chat id. The tenant's, as its settings say, when left out. */
  defaultRecipient?: string | undefined;
  /** The key ends then; never when left out. */
  expiresAt?: string | undefined;
}

/** What the key is for, and what it may do. */
export interface CreateDashboardKey {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** To tell keys apart: who has it, or what for, in 1 to 100 characters. */
  name: string;
  /** All that the key may do for the agency; everything when left out. */
  scopes?:
    | ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys' | 'passthrough' | 'admin:read' | 'erase')[]
    | undefined;
  /** The key ends then; never when left out. */
  expiresAt?: string | undefined;
}

/** How long the old key goes on, and why it is replaced. */
export interface RotateApiKey {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The key that is replaced works for so long beside the new one; 0 ends it within a second. Left out, it is `86400`. */
  overlapSeconds?: number | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
}

export interface ApiKeysListQuery {
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}

export interface ApiKeysRevokeQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}
