// Made from openapi.json by `npm run client`: change the routes, not this file.
import type { WebhookEndpoint, WebhookEndpointHealth } from '../shared/answered-2.ts';

/** The endpoint of that URL, with its secret. */
export interface SessionEndpointPut {
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
  /** The secret that signs its requests from now on. Shown only in this response. */
  secret: string;
}

export interface SessionWebhooksListAnswer {
  /** The endpoints of the session. */
  endpoints: WebhookEndpoint[];
}
