import { sql } from 'kysely';
import { SIGNALS } from '../domain/names.ts';
import type { AttemptClass } from '../domain/retry.ts';
import type { Queries, Tx } from './database.ts';
import { insertMissing } from './dispatch.ts';

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  body: string;
  attempts: number;
  lane: string;
}

/**
 * Who may drain the endpoint until when. True when the lease is ours; it is renewed by calling this again.
 * Leases use the database's own time.
 */
export async function holdDrain(
  queries: Queries,
  endpointId: string,
  token: string,
  leaseMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    update endpoint_drain set token = ${token}, drained_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where endpoint_id = ${endpointId}
      and (token = ${token} or drained_until is null or drained_until < clock_timestamp())
    returning true as held`.execute(queries.sql);
  return rows.length > 0;
}

export async function releaseDrain(queries: Queries, endpointId: string, token: string): Promise<void> {
  await sql`update endpoint_drain set token = null, drained_until = null
    where endpoint_id = ${endpointId} and token = ${token}`.execute(queries.sql);
}

/** The endpoint as a claim found it, and what is to be posted there now. */
export interface Claim {
  endpoint: { id: string; url: string; secret: Buffer; timeoutMs: number };
  deliveries: ClaimedDelivery[];
}

/** Null when this drain may not go on (`db/functions/delivery.sql`). */
export async function claimDeliveries(
  queries: Queries,
  claim: { endpointId: string; token: string; inFlight: number; leaseMs: number },
): Promise<Claim | null> {
  const { endpointId, token, inFlight, leaseMs } = claim;
  const { rows } = await sql<
    { url: string; secret: Buffer; timeoutMs: number } & (ClaimedDelivery | { id: null })
  >`select url, secret, timeout_ms as "timeoutMs", delivery_id as id, event_id as "eventId", body, attempts, lane
    from claim_deliveries(${endpointId}, ${token}, ${inFlight}, ${leaseMs}, ${queries.now})`.execute(queries.sql);
  const [first] = rows;
  if (!first) return null;
  const { url, secret, timeoutMs } = first;
  return { endpoint: { id: endpointId, url, secret, timeoutMs }, deliveries: rows.filter((row) => row.id !== null) };
}

export interface AttemptResult {
  delivery: ClaimedDelivery;
  class: AttemptClass;
  status: number | null;
  durationMs: number;
  excerpt: string | null;
  /** When to try again; null when there is nothing more to try. */
  nextAttemptAt: Date | null;
}

/** Writes what came of an attempt, under the lease of its claim, and what that means for its lane and the endpoint. */
export async function recordAttempt(
  queries: Queries,
  endpointId: string,
  token: string,
  result: AttemptResult,
): Promise<void> {
  const { id: deliveryId, eventId, lane } = result.delivery;
  const { class: attemptClass, status, excerpt, nextAttemptAt } = result;
  const durationMs = Math.round(result.durationMs);
  const record = { deliveryId, eventId, lane, class: attemptClass, status, durationMs, excerpt, nextAttemptAt };
  await sql`select record_attempt(${endpointId}, ${token}, ${queries.now}, ${JSON.stringify(record)}::jsonb)`.execute(
    queries.sql,
  );
}

/**
 * When the endpoint next has something to do; null when nothing is pending that could be attempted. For who is about to
 * leave: what is leased now was a dead drain's, and the next claim takes it.
 */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min(d.next_attempt_at) as at
    from delivery d join endpoint e on e.id = d.endpoint_id join agency a on a.id = e.agency_id
    where d.endpoint_id = ${endpointId} and d.status = 'pending' and d.ready and e.status = 'active' and a.status <> 'suspended'`.execute(
    queries.sql,
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/**
 * Promises a drain for endpoints that have something due and nobody draining, unless one is promised already. What was
 * leased to a drain that died counts as due.
 */
export async function promiseDrains(tx: Tx, drains: { prefix: string; priority: number }): Promise<number> {
  const { prefix, priority } = drains;
  return insertMissing(
    tx,
    sql`
      select 'deliverWebhooks' as workflow_type, ${prefix} || e.id as workflow_id, 'signal_with_start' as action,
        ${SIGNALS.due} as signal, jsonb_build_array(e.id) as args,
        jsonb_strip_nulls(jsonb_build_object('AgencyId', e.agency_id, 'TenantId', case when cardinality(e.tenant_ids) = 1 then e.tenant_ids[1] end)) as attributes,
        'events to a dashboard of agency ' || e.agency_id as summary, ${priority}::smallint as priority, e.agency_id
      from endpoint e join endpoint_drain n on n.endpoint_id = e.id join agency a on a.id = e.agency_id
      where e.status = 'active' and a.status <> 'suspended'
        and (n.drained_until is null or n.drained_until < clock_timestamp())
        and exists (select 1 from delivery d where d.endpoint_id = e.id and d.status = 'pending' and d.ready
          and d.next_attempt_at <= ${tx.now})`,
  );
}
