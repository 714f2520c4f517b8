// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The new key, with its secret. */
export interface ApiKeyCreated {
  /** The id of an API key. */
  id: string;
  /** Whose key it is. */
  kind: 'session' | 'dashboard';
  /** What it is for, as its maker said. */
  name: string;
  /** The agency that it belongs to. */
  agencyId: string;
  /** The tenant of its session. Null for a dashboard's key. */
  tenantId: string | null;
  /** The session that it acts for. Null for a dashboard's key. */
  sessionId: string | null;
  /** All that the key may do. */
  scopes: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys' | 'passthrough' | 'admin:read' | 'erase')[];
  /** Who gets a message whose request names nobody: a contactId or a chat id. Null for the tenant's, as its settings say. */
  defaultRecipient: string | null;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** When it was made. */
  createdAt: string;
  /** From when on it is refused. Null for never. */
  expiresAt: string | null;
  /** When it was revoked. Null while it is good. */
  revokedAt: string | null;
  /** The id of the key that a rotation made in its place. Null where none did. */
  replacedBy: string | null;
  /** The last minute in which it was used; written a minute late. Null before. */
  lastUsedAt: string | null;
  /** Shown once; store it now. */
  apiKey: string;
}

/** An API key, without its secret. */
export interface ApiKey {
  /** The id of an API key. */
  id: string;
  /** Whose key it is. */
  kind: 'session' | 'dashboard';
  /** What it is for, as its maker said. */
  name: string;
  /** The agency that it belongs to. */
  agencyId: string;
  /** The tenant of its session. Null for a dashboard's key. */
  tenantId: string | null;
  /** The session that it acts for. Null for a dashboard's key. */
  sessionId: string | null;
  /** All that the key may do. */
  scopes: ('send' | 'read' | 'sessions' | 'ai:admin' | 'webhooks' | 'keys' | 'passthrough' | 'admin:read' | 'erase')[];
  /** Who gets a message whose request names nobody: a contactId or a chat id. Null for the tenant's, as its settings say. */
  defaultRecipient: string | null;
  /** The first characters of the key, to tell keys apart. */
  hint: string;
  /** When it was made. */
  createdAt: string;
  /** From when on it is refused. Null for never. */
  expiresAt: string | null;
  /** When it was revoked. Null while it is good. */
  revokedAt: string | null;
  /** The id of the key that a rotation made in its place. Null where none did. */
  replacedBy: string | null;
  /** The last minute in which it was used; written a minute late. Null before. */
  lastUsedAt: string | null;
}

export interface ApiKeysListAnswer {
  /** The keys of this page, also those that have ended. */
  apiKeys: ApiKey[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
