// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The conversation that the prompt is for. */
export interface ReadInboxContext {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** The id of a conversation. */
  conversationId: string;
}
