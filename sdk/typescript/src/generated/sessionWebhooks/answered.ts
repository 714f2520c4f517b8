// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookEndpoint, WebhookEndpointHealth } from '../shared/answered-2.ts';

/** The endpoint of that URL, with its secret. */
export interface SessionEndpointPut {
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
  /** What its requests are signed with from now on; shown in this answer alone. */
  secret: string;
}

export interface SessionWebhooksListAnswer {
  /** The endpoints of the session. */
  endpoints: WebhookEndpoint[];
}
