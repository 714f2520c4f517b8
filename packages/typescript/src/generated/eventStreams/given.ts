// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface EventStreamsListQuery {
  /** Only streams of this key, and of links that it created. */
  keyId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With other keys you may omit it if the agency has only one tenant, or if path, query or body names an object of the tenant, such as a session. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface EventStreamsEndQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With other keys you may omit it if the agency has only one tenant, or if path, query or body names an object of the tenant, such as a session. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
