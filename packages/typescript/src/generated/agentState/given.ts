// Made from openapi.json by `npm run client`: change the routes, not this file.

/** At least one of the two. Omitted fields stay unchanged. */
export interface UpdateAgentState {
  /** The agency's id. Only the master key needs it, if the request names no object of the agency. */
  agencyId?: string | undefined;
  /** The tenant's id. Omit it with a session's key, or if the request names an object of the tenant. */
  tenantId?: string | undefined;
  /** Whether the agent is switched on for the tenant. */
  enabled?: boolean | undefined;
  /** The side that answers in all conversations of the tenant: the agent (`bot_active`) or people (`human_takeover`). */
  mode?: 'bot_active' | 'human_takeover' | undefined;
}
