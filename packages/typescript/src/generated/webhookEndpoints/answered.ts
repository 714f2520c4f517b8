// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookEndpoint, WebhookEndpointHealth } from '../shared/answered-2.ts';

/** The new endpoint, with its secret. */
export interface WebhookEndpointCreated {
  /** The id of a webhook endpoint. */
  id: string;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description: string | null;
  /** The event types that it gets. */
  events: string[];
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts per second. Null means no limit. */
  ratePerSecond: number | null;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency: number;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The only session whose events it gets. Null means every session of its tenants. */
  sessionId: string | null;
  /** The values are not shown again. */
  headers: Record<string, string>;
  /** Whether events are sent. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** The health of the endpoint. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** Why deliveries to the URL will fail: its address is not public, or lacks https. Null otherwise. */
  warning: string | null;
  /** Shown once: store it now. */
  secret: string;
}

/** An endpoint, its health and its history. */
export interface WebhookEndpointDetail {
  /** The id of a webhook endpoint. */
  id: string;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description: string | null;
  /** The event types that it gets. */
  events: string[];
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts per second. Null means no limit. */
  ratePerSecond: number | null;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency: number;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The only session whose events it gets. Null means every session of its tenants. */
  sessionId: string | null;
  /** The values are not shown again. */
  headers: Record<string, string>;
  /** Whether events are sent. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** The health of the endpoint. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** The endpoint's history, newest first; the last 20 entries. */
  history: {
    /** When it was done. */
    at: string;
    /** The action, such as `create`, `update`, `pause`, `resume`, `disable` or `rotate`. */
    action: string;
    /** The actor: `api`, `registry`, an operator, or the engine itself. */
    actor: string | null;
    /** The API key that made the request. */
    keyId: string | null;
    /** The reason, if one was given. */
    reason: string | null;
  }[];
}

/** The endpoint as it is now. */
export interface WebhookEndpointChanged {
  /** The id of a webhook endpoint. */
  id: string;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description: string | null;
  /** The event types that it gets. */
  events: string[];
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts per second. Null means no limit. */
  ratePerSecond: number | null;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency: number;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The only session whose events it gets. Null means every session of its tenants. */
  sessionId: string | null;
  /** The values are not shown again. */
  headers: Record<string, string>;
  /** Whether events are sent. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** The health of the endpoint. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** Why deliveries to the URL will fail: its address is not public, or lacks https. Null otherwise. */
  warning: string | null;
}

/** The attempts at an endpoint in the last 24 hours. */
export interface WebhookEndpointStatistics {
  /** The beginning of the first hour. */
  since: string;
  /** The attempts that the endpoint accepted. */
  delivered: number;
  /** The attempts that failed by its doing. Those of the engine do not count. */
  failed: number;
  /** Half of the accepted attempts took no longer, in milliseconds. Null if there was none. */
  medianMs: number | null;
  /** 95 % of the accepted attempts took no longer, in milliseconds. Null if there was none. */
  p95Ms: number | null;
  /** True if only the newest 50000 attempts were counted. */
  isCut: boolean;
  /** The last 24 hours, the oldest first. */
  hours: {
    /** The beginning of the hour. */
    at: string;
    /** The attempts that the endpoint accepted. */
    delivered: number;
    /** The attempts that failed by its doing. Those of the engine do not count. */
    failed: number;
    /** Half of the accepted attempts took no longer, in milliseconds. Null if there was none. */
    medianMs: number | null;
    /** 95 % of the accepted attempts took no longer, in milliseconds. Null if there was none. */
    p95Ms: number | null;
  }[];
}

/** The new secret. */
export interface WebhookSecretRotated {
  /** The id of a webhook endpoint. */
  id: string;
  /** Shown once: store it now. */
  secret: string;
  /** Until when each old secret still signs. */
  oldSecretsUntil: string[];
}

/** The endpoint, and what is retried. */
export interface WebhookEndpointResumed {
  /** The id of a webhook endpoint. */
  id: string;
  /** The address that receives events: https, or http in development. At most 2,048 characters, without a user name or password. */
  url: string;
  /** A note for people about what the endpoint is for, up to 500 characters. */
  description: string | null;
  /** The event types that it gets. */
  events: string[];
  /** The tenants whose events it receives. Null means every tenant of the agency, and events about endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the previous event of its conversation has arrived. `fifo`: each event waits for the previous one. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts per second. Null means no limit. */
  ratePerSecond: number | null;
  /** Requests at a time. If omitted, 10. With `fifo`, always one. */
  concurrency: number;
  /** The time limit from the first byte sent to the last byte received. */
  timeoutMs: number;
  /** The pause before each attempt; from the fourth attempt on, at least one second. Null means the engine's own ladder: twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The only session whose events it gets. Null means every session of its tenants. */
  sessionId: string | null;
  /** The values are not shown again. */
  headers: Record<string, string>;
  /** Whether events are sent. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** The health of the endpoint. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** How many deliveries are retried. */
  recovered: number;
  /** Set if there is more than one request handles: repeat the request with this value as its `continueFrom`. */
  continueFrom: string | null;
}

/** How many deliveries are sent again. */
export interface WebhookReplayed {
  /** How many deliveries this request sends again, or would with `dryRun`. */
  count: number;
  /** Set if there is more than one request handles: repeat the request with this value as its `continueFrom`. */
  continueFrom: string | null;
}

export interface WebhookEndpointsListAnswer {
  /** The endpoints on this page. */
  endpoints: WebhookEndpoint[];
  /** True if more rows follow. */
  hasMore: boolean;
  /** The `cursor` for the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface WebhookEndpointsTestAnswer {
  /** The test event's id, which finds its attempts. */
  eventId: string;
}
