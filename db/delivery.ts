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

/**
 * Heads of lanes that are due, leased for the attempt. Who holds the drain is the only one to claim, so a lease of another
 * drain is somebody's crash: the row is claimed again.
 */
export async function claimDeliveries(
  tx: Tx,
  claim: { endpointId: string; token: string; limit: number; leaseMs: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select d.id from delivery d join endpoint e on e.id = d.endpoint_id join agency a on a.id = e.agency_id
      where d.endpoint_id = ${claim.endpointId} and d.status = 'pending' and d.ready and d.next_attempt_at <= ${tx.now}
        and (d.leased_until is null or d.leased_until < clock_timestamp() or d.lease_token <> ${claim.token})
        and e.status = 'active' and a.status <> 'suspended'
      order by d.next_attempt_at, d.id limit ${claim.limit} for update of d skip locked
    ), leased as (
      update delivery d set lease_token = ${claim.token},
        leased_until = clock_timestamp() + ${claim.leaseMs} * interval '1 millisecond',
        first_attempt_at = coalesce(d.first_attempt_at, ${tx.now})
      from due where d.id = due.id
      returning d.id, d.event_id, d.event_created_at, d.attempts, d.lane
    )
    select l.id::text as id, l.event_id as "eventId", e.body, l.attempts, l.lane
    from leased l join event e on e.created_at = l.event_created_at and e.id = l.event_id
    order by l.id`.execute(tx.sql);
  return rows;
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

/**
 * Writes what came of an attempt, under its lease: a worker that was paused past it changes nothing. A delivery that
 * is over makes the next of its lane ready, in a statement of its own so that it sees what was committed meanwhile.
 */
export async function recordAttempt(tx: Tx, endpointId: string, token: string, result: AttemptResult): Promise<void> {
  const { delivery } = result;
  const over = result.class === 'delivered' || result.nextAttemptAt === null;
  const { rows } = await sql<{ id: string }>`
    with updated as (
      update delivery set attempts = attempts + 1, lease_token = null, leased_until = null,
        last_class = ${result.class}, last_status = ${result.status},
        status = ${over ? (result.class === 'delivered' ? 'delivered' : 'failed') : 'pending'},
        next_attempt_at = coalesce(${result.nextAttemptAt}, next_attempt_at),
        done_at = ${over ? tx.now : null}
      where id = ${delivery.id}::bigint and lease_token = ${token} and status = 'pending' returning id, attempts
    ), logged as (
      insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, at, class, status, duration_ms, response_excerpt)
      select id, ${endpointId}, ${delivery.eventId}, attempts, ${tx.now}, ${result.class}, ${result.status},
        ${Math.round(result.durationMs)}, ${result.excerpt} from updated
    )
    select id::text as id from updated`.execute(tx.sql);
  if (rows.length === 0 || !over) return;
  await sql`
    update delivery set ready = true where id = (
      select min(id) from delivery where endpoint_id = ${endpointId} and lane = ${delivery.lane} and status = 'pending')`.execute(
    tx.sql,
  );
}

/** When the endpoint next has something to do; null when nothing is pending that could be attempted. */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select min(greatest(d.next_attempt_at, coalesce(d.leased_until, d.next_attempt_at))) as at
    from delivery d join endpoint e on e.id = d.endpoint_id join agency a on a.id = e.agency_id
    where d.endpoint_id = ${endpointId} and d.status = 'pending' and d.ready and e.status = 'active' and a.status <> 'suspended'`.execute(
    queries.sql,
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/**
 * Promises a drain for endpoints that have something due and nobody draining, unless one is promised already.
 * With ids after a commit; without, as the poll that covers a lost wake-up.
 */
export async function promiseDrains(
  tx: Tx,
  drains: { prefix: string; priority: number; endpointIds: string[] | null },
): Promise<number> {
  const { prefix, priority, endpointIds } = drains;
  return insertMissing(
    tx,
    sql`
      select 'deliverWebhooks' as workflow_type, ${prefix} || e.id as workflow_id, 'signal_with_start' as action,
        ${SIGNALS.due} as signal, jsonb_build_array(e.id) as args,
        jsonb_strip_nulls(jsonb_build_object('AgencyId', e.agency_id, 'TenantId', e.tenant_id)) as attributes,
        'events to a dashboard of agency ' || e.agency_id as summary, ${priority}::smallint as priority, e.agency_id
      from endpoint e join endpoint_drain n on n.endpoint_id = e.id join agency a on a.id = e.agency_id
      where e.status = 'active' and a.status <> 'suspended'
        and (${endpointIds}::text[] is null or e.id = any(${endpointIds}::text[]))
        and (n.drained_until is null or n.drained_until < clock_timestamp())
        and exists (select 1 from delivery d where d.endpoint_id = e.id and d.status = 'pending' and d.ready
          and d.next_attempt_at <= ${tx.now} and (d.leased_until is null or d.leased_until < clock_timestamp()))`,
  );
}
