// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The person who suspends or activates it, and the reason. */
export interface SwitchDashboard {
  /** The person who decides, for the audit log. */
  actor?: string | undefined;
  /** The reason, for the audit. */
  reason?: string | undefined;
}

export interface AdminDashboardsListQuery {
  /** Only those with this status. */
  status?: 'registered' | 'active' | 'suspended' | undefined;
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}

export interface AdminDashboardsListSessionsQuery {
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}

export interface AdminDashboardsSuspendQuery {
  /** If `true`, changes nothing and returns the counts. */
  dryRun?: boolean | undefined;
}

export interface AdminDashboardsActivateQuery {
  /** If `true`, changes nothing and returns the counts. */
  dryRun?: boolean | undefined;
}
