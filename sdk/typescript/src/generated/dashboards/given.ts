// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The agency, and where its events go. */
export interface RegisterDashboard {
  /** The agency's id, which the caller chooses: 1 to 64 letters, digits, hyphens or underscores. */
  agencyId: string;
  /** What it is called, in 1 to 200 characters; for people. */
  dashboardName: string;
  /** Where the agency's events are posted: http or https, without a user name or password. */
  dashboardUrl: string;
  /** `whsec_` and base64 of the key, or any other string of 32 characters, whose bytes are the key. */
  webhookSecret: string;
  /** For an agency that is registered already: makes a new key of the dashboard instead of answering 409. All its former keys end after `overlapSeconds`; nothing else changes, whatever the other fields say. */
  rotateKey?: boolean | undefined;
  /** With `rotateKey`: how long the former keys go on; 0 ends them. Left out, it is `86400`. */
  overlapSeconds?: number | undefined;
}

/** What is left out stays as it is. */
export interface UpdateDashboard {
  /** The agency whose dashboard is changed. Here, or in the query. */
  agencyId?: string | undefined;
  /** What it is called, in 1 to 200 characters; for people. */
  dashboardName?: string | undefined;
  /** Where the agency's events are posted: http or https, without a user name or password. */
  dashboardUrl?: string | undefined;
  /** `whsec_` and base64 of the key, or any other string of 32 characters, whose bytes are the key. */
  webhookSecret?: string | undefined;
}

export interface DashboardsReadQuery {
  /** The agency whose dashboard is read. */
  agencyId: string;
}

export interface DashboardsUpdateQuery {
  /** The agency whose dashboard is changed. Here, or in the body. */
  agencyId?: string | undefined;
}

export interface DashboardsListQuery {
  /** How many are listed at most, 1 to 100. */
  limit?: number | undefined;
  /** The last answer's `nextCursor`, for the page after it; the first page when left out. */
  cursor?: string | undefined;
}
