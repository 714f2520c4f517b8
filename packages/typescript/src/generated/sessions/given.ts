// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The session to connect. */
export interface CreateSession {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The session's name at the backend: 1 to 54 letters, digits, hyphens or underscores. Defaults to a name generated from agency and tenant. */
  name?: string | undefined;
  /** Whether the tenant uses it if a request names no session. */
  default?: boolean | undefined;
  /** Adopts a session of this name that the backend already has. Needs the master key, because another program may own it. */
  adopt?: boolean | undefined;
  /** The messaging backend for the session, if there are several. This requires the master key. */
  backend?: string | undefined;
  /** The backend's engine for the session, to get a capability that others lack. If no backend offers it, the response is 422. */
  engine?: 'NOWEB' | 'GOWS' | 'WEBJS' | 'WPP' | undefined;
}

/** A change of a session. */
export interface ChangeSession {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** Makes it the session that the tenant uses if a request names none, in place of the previous one. */
  default: true;
}

/** The name that the account shows to others. */
export interface SetProfileName {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The new name, 1 to 100 characters. The network shows 25 of them. */
  name: string;
}

/** The account's about text. */
export interface SetProfileAbout {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The new about text, up to 500 characters; an empty text removes it. The network shows 139 of them. */
  about: string;
}

/** A JPEG or PNG; the network crops it to a square. */
export interface SetProfilePicture {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The address from which the engine fetches the picture: http or https, without a user name or password. Send either this or `data`. */
  url?: string | undefined;
  /** The picture itself in base64, up to 900,000 characters. Send either this or `url`. */
  data?: string | undefined;
}

/** The phone to connect. */
export interface AskPairingCode {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The number of the phone to connect, as people write it. Without a country code, it is read as a number of the tenant's country. */
  phone: string;
}

/** How long the link works. */
export interface MakeConnectLink {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** How long the link works, 60 to 3,600 seconds. Defaults to `600`. */
  expiresInSeconds?: number | undefined;
}

/** The session that the action is for, who requests it, and why. */
export interface AskNamedSession {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. It is in the audit log. */
  actor?: string | undefined;
  /** The reason, 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
}

/** The person who requests the action, and the reason. */
export interface AskSession {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. It is in the audit log. */
  actor?: string | undefined;
  /** The reason, 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
}

/** The part of the history to read, and the person who requests it. */
export interface AskSync {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. It is in the audit log. */
  actor?: string | undefined;
  /** The reason, 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
  /** Reads only this chat. Defaults to all chats. */
  conversationId?: string | undefined;
  /** How many messages of each chat to read, 1 to 1,000,000. Replaces the setting from now on. */
  messagesPerChat?: number | undefined;
  /** How many messages of the account to read, 1 to 20,000,000. Replaces the setting from now on. */
  messagesPerSession?: number | undefined;
  /** How old the messages may be, 0 to 36,500 days; 0 is any age. Replaces the setting from now on. */
  days?: number | undefined;
  /** True reports each message of a contact that this brings in as `message`, with `history: true`, page by page, the newest page first. */
  events?: boolean | undefined;
}

/** The person who stops it, and the reason. */
export interface StopSync {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person who requests it: a name or an id, 1 to 128 characters. It is in the audit log. */
  actor?: string | undefined;
  /** The reason, 1 to 500 characters. It is in the audit. */
  reason?: string | undefined;
}

export interface SessionsListQuery {
  /** Taken from clients of the messaging backend, and changes nothing. */
  expand?: string | string[] | undefined;
  /** Taken from clients of the messaging backend, and changes nothing. */
  all?: string | undefined;
  /** Only sessions with this status, or with one of several: STOPPED, STARTING, SCAN_QR_CODE, PASSKEY_REQUIRED, PASSKEY_CONFIRMATION_REQUIRED, WORKING, FAILED. */
  status?: string | undefined;
  /** The maximum number of rows, 1 to 500. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadStatusQuery {
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadAccountQuery {
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadQuery {
  /** Taken from clients of the messaging backend, and changes nothing. */
  expand?: string | string[] | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadQrQuery {
  /** The format of the response, regardless of `Accept`: the image, the image as base64, or the text of the code. */
  format?: 'png' | 'json' | 'raw' | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsListGapsQuery {
  /** Only gaps in this state. */
  state?: 'open' | 'comparing' | 'closed' | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadOwnProfileQuery {
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadProfileQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsDeleteProfilePictureQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsGetConnectLinkQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsEndConnectLinkQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadCapabilitiesQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface SessionsReadSyncQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
