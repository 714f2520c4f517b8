import { heartbeat } from '@temporalio/activity';
import { DRAIN_LEASE_MS } from './drain-lease.ts';
import type { Drain, Drained } from './drain.ts';

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

export function createWebhookActivities(drain: Drain) {
  /** The promised drain, for what no worker was woken for. Safe to repeat: it drains under the endpoint's lease. */
  async function drainEndpoint({ endpointId }: { endpointId: string }): Promise<Drained> {
    const drained = await drain(endpointId, heartbeat);
    return drained ?? { delivered: 0, failed: 0, lastError: null, nextInMs: DRAIN_LEASE_MS };
  }

  return { drainEndpoint };
}
