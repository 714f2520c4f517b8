import { z } from 'zod';
import { row, run } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { wakeOwner } from './shards/shard-of.ts';

/**
 * Resets the health of an endpoint after a person has decided about it: earlier failures no longer count, and no
 * delivery waits for a probe. The record of the notices that its owner has had stays.
 */
export async function resetEndpointHealth(tx: Tx, endpointId: string): Promise<void> {
  await run(tx)`
    update endpoint_health set consecutive_failures = 0, failing_since = null, last_error = null, breaker = 'closed',
      probe_at = null, probes = 0, concurrency = null, throttled_until = null, recovered_at = ${tx.now}
    where endpoint_id = ${endpointId}`;
}

const WaitedRow = z.object({ waited: z.int() });

/** Makes waiting deliveries due now and lets an open breaker probe at once. Returns how many waited. */
export async function retryNow(tx: Tx, endpointId: string): Promise<number> {
  // Deliveries are locked before the health, in the order in which attempts are recorded.
  const found = await row(tx, WaitedRow)`
    with waiting as (
      select id from delivery
      where endpoint_id = ${endpointId} and shard_of(endpoint_id) = shard_of(${endpointId})
        and status = 'pending' and attempts > 0 and next_attempt_at > ${tx.now}
      order by id for update
    ), waited as (
      update delivery d set next_attempt_at = ${tx.now} from waiting where d.id = waiting.id returning 1
    ) select count(*)::int as waited from waited`;
  await run(tx)`
    update endpoint_health set throttled_until = null,
      probe_at = case when breaker = 'open' then ${tx.now}::timestamptz end
    where endpoint_id = ${endpointId}`;
  tx.wake('endpoint', endpointId);
  wakeOwner(tx, endpointId);
  return found?.waited ?? 0;
}
