// Made from openapi.json by `npm run client`: change the routes, not this file.

/** The key of the new dashboard. */
export interface DashboardRegistered {
  /** Always true, because a refusal is returned as a problem. */
  success: true;
  /** The dashboard's key. Shown once: store it now. */
  apiKey: string;
  /** The agency that was registered. */
  agencyId: string;
  /** Why deliveries to the URL will fail: its address is not public, or lacks https. Null otherwise. */
  warning: string | null;
}

/** Secrets are not shown again. */
export interface Dashboard {
  /** The agency that it belongs to. */
  agencyId: string;
  /** Its name. */
  dashboardName: string;
  /** The status of the agency. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** The address that receives the agency's events. */
  dashboardUrl: string;
  /** The id of this endpoint, for the webhook routes. */
  webhookEndpointId: string;
  /** Whether events are sent. */
  webhookStatus: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  webhookDisabledReason: string | null;
}

/** The dashboard as it is now. */
export interface DashboardChanged {
  /** The agency that it belongs to. */
  agencyId: string;
  /** Its name. */
  dashboardName: string;
  /** The status of the agency. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** The address that receives the agency's events. */
  dashboardUrl: string;
  /** The id of this endpoint, for the webhook routes. */
  webhookEndpointId: string;
  /** Whether events are sent. */
  webhookStatus: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  webhookDisabledReason: string | null;
  /** Why deliveries to the URL will fail: its address is not public, or lacks https. Null otherwise. */
  warning: string | null;
}

export interface DashboardsListAnswer {
  /** The dashboards on this page. */
  agencies: Dashboard[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
