import { z } from 'zod';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { OldSecret, openSigningSecrets } from './endpoint-secrets.ts';
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
  const waited = await makeWaitingDue(tx, endpointId);
  await run(tx)`
    update endpoint_health set throttled_until = null,
      probe_at = case when breaker = 'open' then ${tx.now}::timestamptz end
    where endpoint_id = ${endpointId}`;
  tx.wake('endpoint', endpointId);
  wakeOwner(tx, endpointId);
  return waited;
}

/** Makes the deliveries due now that wait for their next attempt. Returns how many there were. */
export async function makeWaitingDue(tx: Tx, endpointId: string): Promise<number> {
  const found = await row(tx, WaitedRow)`
    with waiting as (
      select id from delivery
      where endpoint_id = ${endpointId} and shard_of(endpoint_id) = shard_of(${endpointId})
        and status = 'pending' and attempts > 0 and next_attempt_at > ${tx.now}
      order by id for update
    ), waited as (
      update delivery d set next_attempt_at = ${tx.now} from waiting where d.id = waiting.id returning 1
    ) select count(*)::int as waited from waited`;
  return found?.waited ?? 0;
}

const UNREADABLE = 'secret_unreadable';

const SecretRow = z.object({
  id: z.string(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  lastError: z.string().nullable(),
});

/**
 * Notes which of the next endpoints cannot be signed for, because another encryption key has sealed their secrets, and
 * takes the note off those that can be. Without it nobody would know before an event fails. An error that an attempt
 * has left stays, because the next attempt tells. An endpoint that somebody changes just now is left out. Safe to
 * repeat. Returns the last one; null when none comes after it.
 */
export async function noteUnreadableSecrets(tx: Tx, after: string | null, limit: number): Promise<string | null> {
  const found = await rows(tx, SecretRow)`
    select e.id, e.secret, e.old_secrets as "oldSecrets", h.last_error as "lastError"
    from endpoint e left join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and e.status = 'active' and (${after}::text is null or e.id > ${after})
    order by e.id limit ${limit} for share of e skip locked`;
  const opens = (each: z.output<typeof SecretRow>): boolean => openSigningSecrets(tx.secrets, each, tx.now) !== null;
  const unreadable = found.filter((each) => each.lastError === null && !opens(each)).map(({ id }) => id);
  const readable = found.filter((each) => each.lastError === UNREADABLE && opens(each)).map(({ id }) => id);
  if (unreadable.length > 0) {
    await run(tx)`
      insert into endpoint_health (endpoint_id, last_error) select unnest(${unreadable}::text[]), ${UNREADABLE}
      on conflict (endpoint_id) do update set last_error = excluded.last_error
        where endpoint_health.last_error is null`;
  }
  if (readable.length > 0) await forgetUnreadable(tx, readable);
  return found.at(-1)?.id ?? null;
}

/** Takes the note off endpoints whose secrets open, or that have new ones. */
export async function forgetUnreadable(tx: Tx, endpointIds: readonly string[]): Promise<void> {
  await run(tx)`
    update endpoint_health set last_error = null
    where endpoint_id = any(${endpointIds}::text[]) and last_error = ${UNREADABLE}`;
}
