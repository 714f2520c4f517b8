// Made from openapi.json by `npm run client`: change the routes, not this file.

/** Who suspends or activates it, and why. */
export interface SwitchDashboard {
  /** Who decides, for the audit. */
  actor?: string | undefined;
  /** Why, for the audit. */
  reason?: string | undefined;
}

export interface AdminDashboardsListQuery {
  /** Only those that are so. */
  status?: 'registered' | 'active' | 'suspended' | undefined;
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}

export interface AdminDashboardsListSessionsQuery {
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}

export interface AdminDashboardsSuspendQuery {
  /** `true` changes nothing and tells the counts. */
  dryRun?: boolean | undefined;
}

export interface AdminDashboardsActivateQuery {
  /** `true` changes nothing and tells the counts. */
  dryRun?: boolean | undefined;
}
