// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { SessionStatus } from '../shared/answered.ts';

/** A dashboard as the operator sees it. */
export interface DashboardOverview {
  /** The agency that it belongs to. */
  agencyId: string;
  /** What it is called. */
  dashboardName: string;
  /** Where the agency's events are posted. */
  dashboardUrl: string;
  /** How the agency is. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** Since when it is suspended. */
  suspendedAt: string | null;
  /** Why, as the operator said. */
  suspendedReason: string | null;
  /** The later of its last event and the last use of a key, which is written a minute late. */
  lastActivityAt: string | null;
  /** What it has. */
  counts: {
    /** Its tenants. */
    tenants: number;
    /** Their sessions. */
    sessions: number;
    /** Those of them that are WORKING. */
    sessionsWorking: number;
    /** Its keys that work. */
    keys: number;
    /** Its webhook endpoints. */
    endpoints: number;
  };
}

/** A dashboard, with what waits there. */
export interface DashboardDetails {
  /** The agency that it belongs to. */
  agencyId: string;
  /** What it is called. */
  dashboardName: string;
  /** Where the agency's events are posted. */
  dashboardUrl: string;
  /** How the agency is. */
  status: 'registered' | 'active' | 'suspended';
  /** When it was registered. */
  createdAt: string;
  /** Since when it is suspended. */
  suspendedAt: string | null;
  /** Why, as the operator said. */
  suspendedReason: string | null;
  /** The later of its last event and the last use of a key, which is written a minute late. */
  lastActivityAt: string | null;
  /** What it has. */
  counts: {
    /** Its tenants. */
    tenants: number;
    /** Their sessions. */
    sessions: number;
    /** Those of them that are WORKING. */
    sessionsWorking: number;
    /** Its keys that work. */
    keys: number;
    /** Its webhook endpoints. */
    endpoints: number;
  };
  /** What a suspension stops, or an activation lets go. */
  waiting: WaitingCounts;
}

/** What a suspension stops, or an activation lets go. */
export interface WaitingCounts {
  /** Keys that work. */
  keys: number;
  /** Sessions. */
  sessions: number;
  /** Messages that are queued; counted up to 10,000. */
  messagesWaiting: number;
  /** Messages whose time has not come; counted up to 10,000. */
  messagesScheduled: number;
  /** Messages that the backend was given and has not answered; counted up to 10,000. */
  messagesInFlight: number;
  /** Deliveries that are pending; counted up to 10,000. */
  deliveriesPending: number;
  /** Conversations that the agent owes a turn; counted up to 10,000. */
  turnsOwed: number;
}

/** How it is now, and what that stops or lets go. */
export interface DashboardSwitched {
  /** The agency. */
  agencyId: string;
  /** How the agency is. */
  status: 'registered' | 'active' | 'suspended';
  /** False when it was so already, and for a dry run. */
  hasChanged: boolean;
  /** True when only the counts were asked for. */
  dryRun: boolean;
  /** What a suspension stops, or an activation lets go. */
  counts: WaitingCounts;
  /** The messages that may still reach the backend, because they were on their way before. No other does after this answer. */
  inFlight: string[];
}

export interface AdminDashboardsListAnswer {
  /** The dashboards of this page. */
  dashboards: DashboardOverview[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface AdminDashboardsListSessionsAnswer {
  /** The sessions of this page. */
  sessions: SessionStatus[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}
