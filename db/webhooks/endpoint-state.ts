import { z } from 'zod';
import { ENDPOINT_STATUSES } from '../../domain/webhooks/endpoint.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import { row, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { makeWaitingDue, resetEndpointHealth } from './endpoint-health.ts';
import { insertEndpointHistory } from './endpoint-history.ts';
import type { Actor } from './endpoint-history.ts';
import { tellEndpointWorkflow } from './endpoint-workflow.ts';
import { noteResumed } from './notices.ts';
import { wakeOwner } from './shards/shard-of.ts';

const StatusRow = z.object({ status: z.enum(ENDPOINT_STATUSES) });

/**
 * Pauses an endpoint, or lets it go on even if it was disabled. The events of a paused endpoint are kept. An endpoint
 * that goes on begins as if it had never failed, even if it was active all the time: what waited for its next attempt
 * is due at once. Null when there is no endpoint with that id.
 */
export async function changeEndpointStatus(
  tx: Tx,
  endpointId: string,
  to: 'active' | 'paused',
  by: Actor,
): Promise<EndpointStatus | null> {
  // Deliveries are locked before the endpoint, in the order in which attempts are recorded.
  if (to === 'active') await makeWaitingDue(tx, endpointId);
  const before = await row(tx, StatusRow)`
    select status from endpoint where id = ${endpointId} and deleted_at is null for no key update`;
  if (!before) return null;
  await insertEndpointHistory(tx, endpointId, { action: to === 'active' ? 'resume' : 'pause', by });
  // A disabled endpoint waits already; pausing it would lose the reason.
  if (to === 'paused' && before.status === 'disabled') return before.status;
  if (before.status !== to) {
    await run(tx)`
      update endpoint set status = ${to}, status_at = ${tx.now}, disabled_reason = null where id = ${endpointId}`;
  }
  if (to === 'active') {
    await noteResumed(tx, endpointId);
    await resetEndpointHealth(tx, endpointId);
    wakeOwner(tx, endpointId);
  }
  tx.wake('endpoint', endpointId);
  await tellEndpointWorkflow(tx, endpointId);
  return to;
}
