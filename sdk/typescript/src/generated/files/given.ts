// Made from openapi.json by `npm run client`: change the routes, not this file.

export interface FilesUploadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name that the contact sees, with its ending. */
  fileName?: string | undefined;
}
