// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Whether an automation is on, and with what. */
export interface SetAutomation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** True to switch it on, false to switch it off. */
  enabled: boolean;
  /** What to set, by the schema of the definition. What is set already when left out. */
  params?: Record<string, unknown> | undefined;
}

/** What an automation is run for. */
export interface RunAutomation {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation: string;
  /** The conversation for which it runs. */
  conversationId: string;
  /** What it is about, by the `input` of the definition. */
  input?: Record<string, unknown> | undefined;
  /** Your own name of it, such as the id of an appointment. A run of the automation with the same key that is under way ends as `cancelled`, `replaced`. */
  key?: string | undefined;
}

/** Which run of an automation is called off. */
export interface CancelByKey {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation: string;
  /** The key with which the run was asked for. */
  key: string;
}

export interface AutomationsListDefinitionsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsListQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsReadQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsListExecutionsQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
  /** The name of an automation. */
  automation?: string | undefined;
  /** How far it is. */
  status?: 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
  /** The id of a conversation. */
  conversationId?: string | undefined;
  /** Only those that were asked for from then on. */
  since?: string | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}

export interface AutomationsRetryExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsReadExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}

export interface AutomationsCancelExecutionQuery {
  /** The agency's id, as it was registered. Only the master key needs it; other keys may leave it out. 1 to 64 letters, digits, hyphens or underscores. */
  agencyId?: string | undefined;
  /** The tenant's id, as the agency chose it. A session's key leaves it out, and a dashboard's key may where the agency has one tenant alone or the path names something of the tenant. 1 to 64 letters, digits, hyphens or underscores. */
  tenantId?: string | undefined;
}
