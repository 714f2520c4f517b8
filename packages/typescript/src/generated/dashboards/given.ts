// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The agency, and where its events go. */
export interface RegisterDashboard {
  /** The agency's id, which the caller chooses: 1 to 64 letters, digits, hyphens or underscores. */
  agencyId: string;
  /** A name for people, in 1 to 200 characters. */
  dashboardName: string;
  /** The address that receives the agency's events: http or https, without a user name or password. */
  dashboardUrl: string;
  /** `whsec_` followed by the key in base64, or any other string of 32 characters, whose bytes are the key. */
  webhookSecret: string;
  /** For an agency that is already registered: creates a new key for the dashboard instead of returning 409. All its former keys end after `overlapSeconds`. */
  rotateKey?: boolean | undefined;
  /** With `rotateKey`: how long the former keys still work. 0 ends them. Defaults to `86400`. */
  overlapSeconds?: number | undefined;
  /** With `rotateKey`: true leaves the keys of sessions that the former keys made to the new key. Otherwise, they end with the former keys. Defaults to `false`. */
  keepKeys?: boolean | undefined;
}

/** Omitted fields stay unchanged. */
export interface UpdateDashboard {
  /** The agency whose dashboard to change. Give it here or in the query. */
  agencyId?: string | undefined;
  /** A name for people, in 1 to 200 characters. */
  dashboardName?: string | undefined;
  /** The address that receives the agency's events: http or https, without a user name or password. */
  dashboardUrl?: string | undefined;
  /** `whsec_` followed by the key in base64, or any other string of 32 characters, whose bytes are the key. */
  webhookSecret?: string | undefined;
}

export interface DashboardsReadQuery {
  /** The agency whose dashboard to read. */
  agencyId: string;
}

export interface DashboardsUpdateQuery {
  /** The agency whose dashboard to change. Give it here or in the body. */
  agencyId?: string | undefined;
}

export interface DashboardsListQuery {
  /** The maximum number of rows, 1 to 100. */
  limit?: number | undefined;
  /** The `nextCursor` of the last response, for the page after it. Defaults to the first page. */
  cursor?: string | undefined;
}
