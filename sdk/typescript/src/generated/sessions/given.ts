// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Which session is connected. */
export interface CreateSession {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The session's name at the backend: 1 to 54 letters, digits, hyphens or underscores. Made from agency and tenant when left out. */
  name?: string | undefined;
  /** Whether the tenant uses it when a request names none. */
  default?: boolean | undefined;
  /** Takes over a session that the messaging backend already has under this name, with its account and its history, and replaces its webhooks. This takes the master key, because the session may be another program's. */
  adopt?: boolean | undefined;
  /** The messaging backend that is to hold the session, where there are several. This takes the master key; left out, the engine chooses by weight and health. */
  backend?: string | undefined;
  /** The backend's engine that is to be behind the session, as for what only one of them can (`GET /api/v1/sessions/{id}/capabilities`). Only backends whose engine the operator has named are chosen from then; 422 where there is none of it. */
  engine?: 'NOWEB' | 'GOWS' | 'WEBJS' | 'WPP' | undefined;
}

/** What is changed about a session. */
export interface ChangeSession {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Makes it the session that the tenant uses when a request names none, in place of the one before. */
  default: true;
}

/** The name that the account shows to others. */
export interface SetProfileName {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The new name, 1 to 100 characters. The network shows 25 of them. */
  name: string;
}

/** What the account says about itself. */
export interface SetProfileAbout {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The new about text, up to 500 characters; empty removes it. The network shows 139 of them. */
  about: string;
}

/** A JPEG or PNG; the network cuts it to a square. */
export interface SetProfilePicture {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Where the engine fetches the picture: http or https, without a user name or password. Either this or `data`. */
  url?: string | undefined;
  /** The picture itself in base64, up to 900,000 characters. Either this or `url`. */
  data?: string | undefined;
}

/** The phone that is to be connected. */
export interface AskPairingCode {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The number of the phone that is to be connected, as people write it; without a country code it is one of the tenant's country. */
  phone: string;
}

/** How long the link works. */
export interface MakeConnectLink {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** How long the link works, 60 to 3,600 seconds. Left out, it is `600`. */
  expiresInSeconds?: number | undefined;
}

/** Of which session it is asked, who asks it, and why. */
export interface AskNamedSession {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Who asks: a name or an id of the dashboard's own, in 1 to 128 characters. It is in the audit. */
  actor?: string | undefined;
  /** Why, in 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
  /** A session's id or name. The tenant's default session when left out. */
  session?: string | undefined;
}

/** Who asks it of the session, and why. */
export interface AskSession {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Who asks: a name or an id of the dashboard's own, in 1 to 128 characters. It is in the audit. */
  actor?: string | undefined;
  /** Why, in 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
}

/** What is read of the past, and who asks for it. */
export interface AskSync {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Who asks: a name or an id of the dashboard's own, in 1 to 128 characters. It is in the audit. */
  actor?: string | undefined;
  /** Why, in 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
  /** Reads this chat alone. Left out, all chats. */
  conversationId?: string | undefined;
  /** So many messages of each chat, 1 to 1,000,000; from now on in place of the setting. */
  messagesPerChat?: number | undefined;
  /** So many messages of the account, 1 to 20,000,000; from now on in place of the setting. */
  messagesPerSession?: number | undefined;
  /** How old they may be, 0 to 36,500 days; 0 is any age. From now on in place of the setting. */
  days?: number | undefined;
  /** True has `message` told of each message of a contact that this brings in, with `history: true`, page by page, the newest page first. */
  events?: boolean | undefined;
}

/** Who stops it, and why. */
export interface StopSync {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** Who asks: a name or an id of the dashboard's own, in 1 to 128 characters. It is in the audit. */
  actor?: string | undefined;
  /** Why, in 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
}

export interface SessionsListQuery {
  /** Only sessions with this status, or with one of several: STOPPED, STARTING, SCAN_QR_CODE, PASSKEY_REQUIRED, PASSKEY_CONFIRMATION_REQUIRED, WORKING, FAILED. */
  status?: string | undefined;
  /** How many are listed at most, 1 to 500. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadStatusQuery {
  /** A session's id or name. The tenant's default session when left out. */
  session?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadAccountQuery {
  /** A session's id or name. The tenant's default session when left out. */
  session?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsDeleteQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadQrQuery {
  /** The form of the answer, whatever `Accept` says: the image, the image as base64, or the text of the code. */
  format?: 'png' | 'json' | 'raw' | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsListGapsQuery {
  /** Only gaps in this state. */
  state?: 'open' | 'comparing' | 'closed' | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadOwnProfileQuery {
  /** A session's id or name. The tenant's default session when left out. */
  session?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadProfileQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsDeleteProfilePictureQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadCapabilitiesQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface SessionsReadSyncQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
