// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The new key, with its secret. */
export interface ApiKeyCreated {
  /** The id of an API key. */
  id: string;
  /** The session or dashboard of the key. */
  kind: 'session' | 'dashboard';
  /** The name that its creator gave it. */
  name: string;
  /** The agency that it belongs to. */
  agencyId: string;
  /** The tenant of its session. Null for a dashboard's key. */
  tenantId: string | null;
  /** The session that it acts for. Null for a dashboard's key. */
  sessionId: string | null;
  /** All that the key may do. */
  scopes: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys' | 'passthrough' | 'admin:read' | 'erase')[];
  /** The recipient of requests that name none: a contactId or a chat id. Null means the recipient in the tenant's settings. */
  defaultRecipient: string | null;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** When it was created. */
  createdAt: string;
  /** From when on it is refused. Null means never. */
  expiresAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
  /** The id of the key that created it, with which it ends. Null if none did: it has an end of its own. */
  madeBy: string | null;
  /** The id of the console login that created it. The key outlives a logout and the login's expiry. */
  loginId: string | null;
  /** The id of the key that replaced it in a rotation. Null if none did. */
  replacedBy: string | null;
  /** When it was last used, to about a minute; shown up to a minute late. Null if it was not used yet. */
  lastUsedAt: string | null;
  /** Shown once: store it now. */
  apiKey: string;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** The id of an API key. */
  id: string;
  /** The session or dashboard of the key. */
  kind: 'session' | 'dashboard';
  /** The name that its creator gave it. */
  name: string;
  /** The agency that it belongs to. */
  agencyId: string;
  /** The tenant of its session. Null for a dashboard's key. */
  tenantId: string | null;
  /** The session that it acts for. Null for a dashboard's key. */
  sessionId: string | null;
  /** All that the key may do. */
  scopes: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys' | 'passthrough' | 'admin:read' | 'erase')[];
  /** The recipient of requests that name none: a contactId or a chat id. Null means the recipient in the tenant's settings. */
  defaultRecipient: string | null;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** When it was created. */
  createdAt: string;
  /** From when on it is refused. Null means never. */
  expiresAt: string | null;
  /** When it was revoked. Null if it was not. */
  revokedAt: string | null;
  /** The id of the key that created it, with which it ends. Null if none did: it has an end of its own. */
  madeBy: string | null;
  /** The id of the console login that created it. The key outlives a logout and the login's expiry. */
  loginId: string | null;
  /** The id of the key that replaced it in a rotation. Null if none did. */
  replacedBy: string | null;
  /** When it was last used, to about a minute; shown up to a minute late. Null if it was not used yet. */
  lastUsedAt: string | null;
}

export interface ApiKeysListAnswer {
  /** The keys on this page, including those that have ended. */
  apiKeys: ApiKey[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
