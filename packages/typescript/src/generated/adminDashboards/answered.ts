// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { SessionStatus } from '../shared/answered-2.ts';

/** A dashboard as the operator sees it. */
export interface DashboardOverview {
  /** The agency that it belongs to. */
  agencyId: string;
  /** Its name. */
  dashboardName: string;
  /** The address that receives the agency's events. */
  dashboardUrl: string;
  /** The status of the agency. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** Since when it is suspended. */
  suspendedAt: string | null;
  /** The reason that the operator gave. */
  suspendedReason: string | null;
  /** The later of its last event and the last use of a key; the use is written a minute late. */
  lastActivityAt: string | null;
  /** The contents of the dashboard. */
  counts: {
    /** Its tenants. */
    tenants: number;
    /** Their sessions. */
    sessions: number;
    /** Those of the sessions that are WORKING. */
    sessionsWorking: number;
    /** Its keys that work. */
    keys: number;
    /** Its webhook endpoints. */
    endpoints: number;
  };
}

/** A dashboard and what waits there. */
export interface DashboardDetails {
  /** The agency that it belongs to. */
  agencyId: string;
  /** Its name. */
  dashboardName: string;
  /** The address that receives the agency's events. */
  dashboardUrl: string;
  /** The status of the agency. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** Since when it is suspended. */
  suspendedAt: string | null;
  /** The reason that the operator gave. */
  suspendedReason: string | null;
  /** The later of its last event and the last use of a key; the use is written a minute late. */
  lastActivityAt: string | null;
  /** The contents of the dashboard. */
  counts: {
    /** Its tenants. */
    tenants: number;
    /** Their sessions. */
    sessions: number;
    /** Those of the sessions that are WORKING. */
    sessionsWorking: number;
    /** Its keys that work. */
    keys: number;
    /** Its webhook endpoints. */
    endpoints: number;
  };
  /** Work that a suspension stops, or an activation continues. */
  waiting: WaitingCounts;
}

/** Work that a suspension stops, or an activation continues. */
export interface WaitingCounts {
  /** Keys that work. */
  keys: number;
  /** Sessions. */
  sessions: number;
  /** Messages that are queued; counted up to 10,000. */
  messagesWaiting: number;
  /** Messages whose scheduled time has not come; counted up to 10,000. */
  messagesScheduled: number;
  /** Messages that were given to the backend without a response yet; counted up to 10,000. */
  messagesInFlight: number;
  /** Deliveries that are pending; counted up to 10,000. */
  deliveriesPending: number;
  /** Conversations for which the agent still owes a turn; counted up to 10,000. */
  turnsOwed: number;
}

/** The new status, and what it stops or continues. */
export interface DashboardSwitched {
  /** The agency. */
  agencyId: string;
  /** The status of the agency. */
  status: 'registered' | 'active' | 'suspended';
  /** False if it already had this status, and for a dry run. */
  hasChanged: boolean;
  /** True if only the counts were requested. */
  dryRun: boolean;
  /** Work that a suspension stops, or an activation continues. */
  counts: WaitingCounts;
  /** The messages that may still reach the backend because they were already being sent. No other message reaches it after this response. */
  inFlight: string[];
}

export interface AdminDashboardsListAnswer {
  /** The dashboards on this page. */
  dashboards: DashboardOverview[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface AdminDashboardsListSessionsAnswer {
  /** The sessions on this page. */
  sessions: SessionStatus[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}
