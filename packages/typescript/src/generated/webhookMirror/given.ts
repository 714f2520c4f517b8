// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The tenants whose inboxes are mirrored by pull or stream. */
export interface UpdateMirror {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenants whose inboxes are mirrored. Null means every tenant of the agency, including later ones; an empty list means none. */
  tenantIds: string[] | null;
}

export interface WebhookMirrorReadQuery {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
}
