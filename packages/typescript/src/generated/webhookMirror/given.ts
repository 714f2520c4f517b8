// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whose inboxes are mirrored by pull or stream. */
export interface UpdateMirror {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** Whose inboxes to mirror. Null means every tenant of the agency, including later ones; an empty list means none. */
  tenantIds: string[] | null;
}

export interface WebhookMirrorReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it, and only if the request names no object of the agency. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
}
