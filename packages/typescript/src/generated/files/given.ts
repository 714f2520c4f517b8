// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface FilesUploadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The name that the contact sees, with its extension. */
  fileName?: string | undefined;
}

export interface FilesListQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}

export interface FilesEndQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
}
