// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The key of the new dashboard. */
export interface DashboardRegistered {
  /** Always true: a refusal is a problem. */
  success: true;
  /** The dashboard's key. Shown once; store it now. */
  apiKey: string;
  /** The agency that was registered. */
  agencyId: string;
}

/** Secrets are not shown again. */
export interface Dashboard {
  /** The agency that it belongs to. */
  agencyId: string;
  /** What it is called. */
  dashboardName: string;
  /** How the agency is. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** Where the agency's events are posted. */
  dashboardUrl: string;
  /** The endpoint that it is, for the webhook routes. */
  webhookEndpointId: string;
  /** Whether events go out. */
  webhookStatus: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  webhookDisabledReason: string | null;
}

export interface DashboardsListAnswer {
  /** The dashboards of this page. */
  agencies: Dashboard[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
