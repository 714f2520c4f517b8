// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookEndpoint, WebhookEndpointHealth } from '../shared/answered-2.ts';

/** The new endpoint, with its secret. */
export interface WebhookEndpointCreated {
  /** The id of a webhook endpoint. */
  id: string;
  /** Where events are posted: https, or http in development, 2,048 characters at most, without a user name or password. */
  url: string;
  /** What it is for, in 500 characters at most; for people. */
  description: string | null;
  /** The types of events that it gets. */
  events: string[];
  /** Whose events it gets; null is every tenant of the agency, and events of endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the one before it of its conversation has arrived. `fifo`: all wait for one another. `parallel`: none waits. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts a second; null is no limit. */
  ratePerSecond: number | null;
  /** Requests at a time; 10 when left out, one with `fifo`. */
  concurrency: number;
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  /** The pause before each attempt, from the fourth on at least a second; null is the engine's, twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The session whose events alone it gets. Null is every session of its tenants. */
  sessionId: string | null;
  /** Their values are not shown again. */
  headers: Record<string, string>;
  /** Whether events go out. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** How the endpoint does. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** Shown once; store it now. */
  secret: string;
}

/** An endpoint, how it does, and what was done with it. */
export interface WebhookEndpointDetail {
  /** The id of a webhook endpoint. */
  id: string;
  /** Where events are posted: https, or http in development, 2,048 characters at most, without a user name or password. */
  url: string;
  /** What it is for, in 500 characters at most; for people. */
  description: string | null;
  /** The types of events that it gets. */
  events: string[];
  /** Whose events it gets; null is every tenant of the agency, and events of endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the one before it of its conversation has arrived. `fifo`: all wait for one another. `parallel`: none waits. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts a second; null is no limit. */
  ratePerSecond: number | null;
  /** Requests at a time; 10 when left out, one with `fifo`. */
  concurrency: number;
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  /** The pause before each attempt, from the fourth on at least a second; null is the engine's, twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The session whose events alone it gets. Null is every session of its tenants. */
  sessionId: string | null;
  /** Their values are not shown again. */
  headers: Record<string, string>;
  /** Whether events go out. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** How the endpoint does. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** What was done with it, newest first; the last 20. */
  history: {
    /** When it was done. */
    at: string;
    /** What was done, such as `create`, `update`, `pause`, `resume`, `disable` or `rotate`. */
    action: string;
    /** Who did it: `api`, `registry`, an operator, or the engine itself. */
    actor: string | null;
    /** The API key that asked. */
    keyId: string | null;
    /** Why, as far as somebody said. */
    reason: string | null;
  }[];
}

/** The new secret. */
export interface WebhookSecretRotated {
  /** The id of a webhook endpoint. */
  id: string;
  /** Shown once; store it now. */
  secret: string;
  /** Until when each old secret still signs. */
  oldSecretsUntil: string[];
}

/** The endpoint, and what is tried again. */
export interface WebhookEndpointResumed {
  /** The id of a webhook endpoint. */
  id: string;
  /** Where events are posted: https, or http in development, 2,048 characters at most, without a user name or password. */
  url: string;
  /** What it is for, in 500 characters at most; for people. */
  description: string | null;
  /** The types of events that it gets. */
  events: string[];
  /** Whose events it gets; null is every tenant of the agency, and events of endpoints. */
  tenantIds: string[] | null;
  /** `conversation`: an event waits until the one before it of its conversation has arrived. `fifo`: all wait for one another. `parallel`: none waits. */
  ordering: 'conversation' | 'parallel' | 'fifo';
  /** Attempts a second; null is no limit. */
  ratePerSecond: number | null;
  /** Requests at a time; 10 when left out, one with `fifo`. */
  concurrency: number;
  /** From the first byte sent to the last received. */
  timeoutMs: number;
  /** The pause before each attempt, from the fourth on at least a second; null is the engine's, twelve attempts in three days. */
  retryLadderMs: number[] | null;
  /** The session whose events alone it gets. Null is every session of its tenants. */
  sessionId: string | null;
  /** Their values are not shown again. */
  headers: Record<string, string>;
  /** Whether events go out. */
  status: 'active' | 'paused' | 'disabled';
  /** Why it is paused or disabled. Null while it is active. */
  disabledReason: string | null;
  /** How the endpoint does. */
  health: WebhookEndpointHealth;
  /** `dashboard`: the agency's dashboardUrl. `tenant`: the webhookUrl of a tenant's settings. */
  source: 'dashboard' | 'tenant' | 'api';
  /** When it was created. */
  createdAt: string;
  /** How many deliveries are tried again. */
  recovered: number;
  /** Where there is more than one request does: repeat it with this as its `continueFrom`. */
  continueFrom: string | null;
}

/** How much is sent again. */
export interface WebhookReplayed {
  /** How many deliveries this request sends again, or would with `dryRun`. */
  count: number;
  /** Where there is more than one request does: repeat it with this as its `continueFrom`. */
  continueFrom: string | null;
}

export interface WebhookEndpointsListAnswer {
  /** The endpoints of this page. */
  endpoints: WebhookEndpoint[];
  /** True where more follow after these. */
  hasMore: boolean;
  /** Asks for the page after this one, as `cursor`. Null where this is the last. */
  nextCursor: string | null;
}

export interface WebhookEndpointsTestAnswer {
  /** The event, by which its attempts are found. */
  eventId: string;
}
