// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The person who opted out. */
export interface SetOptOut {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

/** The person to block or unblock. */
export interface BlockContact {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The person: a chat id, a phone number with its country code, a hidden id or a contactId. */
  chatId: string;
}

/** The person who undoes a merge of contacts, and the reason. */
export interface UnmergeContact {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The person who says so, 1 to 128 characters. */
  actor?: string | undefined;
  /** Why, 1 to 500 characters, for the audit. */
  reason?: string | undefined;
}

export interface ContactsListOptOutsQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}

export interface ContactsOptInQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ContactsListQuery {
  /** The maximum number of rows, 1 to 1,000. */
  limit?: number | undefined;
  /** How many rows to skip, 0 to 100,000, after those of the `cursor`. A cursor reads a long list faster. */
  offset?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ContactsListOwnQuery {
  /** The maximum number of rows, 1 to 1,000. */
  limit?: number | undefined;
  /** How many rows to skip, 0 to 100,000, after those of the `cursor`. A cursor reads a long list faster. */
  offset?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ContactsReadQuery {
  /** A session's id or name. Defaults to the tenant's default session. */
  session?: string | undefined;
  /** Fetches the picture if that was not done in the last hour, and waits for it up to five seconds. The session must be connected. */
  fetchPicture?: string | undefined;
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}

export interface ContactsSyncQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
