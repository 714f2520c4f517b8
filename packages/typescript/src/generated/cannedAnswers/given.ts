// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The text of a canned answer. */
export interface SetCannedAnswer {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The text, at most 4096 characters. The console replaces `{name}`, `{first_name}`, `{phone}` and `{me}` before a person sends it. */
  text: string;
}

export interface CannedAnswersListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}

export interface CannedAnswersDeleteQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
