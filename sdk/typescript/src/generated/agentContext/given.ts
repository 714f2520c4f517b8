// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The conversation that the prompt is for. */
export interface ReadInboxContext {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may omit it. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. Omit it with a session's key. With a dashboard's key you may omit it if the agency has only one tenant or the path names something that belongs to the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The id of a conversation. */
  conversationId: string;
}
