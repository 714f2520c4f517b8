import { sql } from 'kysely';
import type { AttemptClass, Verdict } from '../domain/retry.ts';
import type { Queries, Tx } from './database.ts';
import type { OldSecret } from './endpoint-secrets.ts';

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  body: string;
  attempts: number;
  ladderStep: number;
  /** The one attempt that an open breaker allows. */
  probe: boolean;
}

/** Whose attempts are counted together: of an agency, or of the one tenant that the endpoint serves. */
export type DrainOwner = string;

/**
 * Who may drain the endpoint until when. Null when the lease is somebody else's; it is renewed by calling this again.
 * Leases use the database's own time.
 */
export async function holdDrain(
  queries: Queries,
  endpointId: string,
  token: string,
  leaseMs: number,
): Promise<DrainOwner | null> {
  const { rows } = await sql<{ owner: string }>`
    update endpoint_drain n set token = ${token}, drained_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    from endpoint e
    where n.endpoint_id = ${endpointId} and e.id = n.endpoint_id
      and (n.token = ${token} or n.drained_until is null or n.drained_until < clock_timestamp())
    returning e.agency_id || case when cardinality(e.tenant_ids) = 1 then '/' || e.tenant_ids[1] else '' end as owner`.execute(
    queries.sql,
  );
  return rows[0]?.owner ?? null;
}

export async function releaseDrain(queries: Queries, endpointId: string, token: string): Promise<void> {
  await sql`update endpoint_drain set token = null, drained_until = null
    where endpoint_id = ${endpointId} and token = ${token}`.execute(queries.sql);
}

/** The endpoint as a claim found it. */
export interface DrainedEndpoint {
  id: string;
  url: string;
  secret: Buffer;
  oldSecrets: OldSecret[];
  headers: Buffer | null;
  timeoutMs: number;
  ladder: number[] | null;
  /** How many attempts it gets at a time now. */
  atOnce: number;
  /** How many more may be claimed ahead of them. */
  ahead: number;
  /** Nothing goes before then. */
  holdUntil: Date | null;
}

export interface AttemptRecord extends Verdict {
  id: string;
  class: AttemptClass;
  probe: boolean;
  status: number | null;
  durationMs: number;
  connectMs: number | null;
  firstByteMs: number | null;
  reused: boolean;
  excerpt: string | null;
  location: string | null;
}

export interface Step {
  results: readonly AttemptRecord[];
  /** Claimed and not in `results`. */
  inFlight: number;
  /** How many may be claimed; none ask for nothing. */
  room: number;
  leaseMs: number;
}

export interface Stepped {
  /** `state`: the endpoint is attempted in another way from now on. `health`: it began or ceased to fail, or an event ended as failed. */
  changed: 'state' | 'health' | null;
  /** Null when the drain may not go on, or asked for nothing. */
  endpoint: DrainedEndpoint | null;
  deliveries: ClaimedDelivery[];
}

interface StepRow {
  changed: 'state' | 'health' | null;
  url: string | null;
  secret: Buffer;
  oldSecrets: OldSecret[];
  headers: Buffer | null;
  timeoutMs: number;
  ladder: string[] | null;
  atOnce: number;
  ahead: number;
  holdUntil: string | null;
}

/** Records what has come of attempts and claims what is due, in one statement (`db/functions/delivery.sql`). */
export async function drainStep(queries: Queries, endpointId: string, token: string, step: Step): Promise<Stepped> {
  const { inFlight, room, leaseMs } = step;
  const results =
    step.results.length === 0 ? null : JSON.stringify(step.results.map((result, place) => ({ ...result, place })));
  const { rows } = await sql<StepRow & (ClaimedDelivery | { id: null })>`
    select changed, url, secret, old_secrets as "oldSecrets", headers, timeout_ms as "timeoutMs", ladder, at_once as "atOnce", ahead,
      hold_until as "holdUntil", delivery_id as id, event_id as "eventId", body, attempts, ladder_step as "ladderStep", probe
    from drain_step(${endpointId}, ${token}, ${results}::jsonb, ${inFlight}, ${room}, ${leaseMs}, ${queries.now})`.execute(
    queries.sql,
  );
  const found = rows.find((row) => row.url !== null);
  return {
    changed: rows[0]?.changed ?? null,
    endpoint: found ? toEndpoint(endpointId, found) : null,
    deliveries: rows.filter((row) => row.id !== null),
  };
}

function toEndpoint(id: string, row: StepRow): DrainedEndpoint {
  const { url, secret, oldSecrets, headers, timeoutMs, ladder, atOnce, ahead, holdUntil } = row;
  return {
    id,
    url: url ?? '',
    secret,
    oldSecrets,
    headers,
    timeoutMs,
    ladder: ladder === null ? null : ladder.map(Number),
    atOnce,
    ahead,
    holdUntil: holdUntil === null ? null : new Date(holdUntil),
  };
}

/**
 * When the endpoint next has something to do; null when nothing is pending that could be attempted. For who is about to
 * leave: what is leased now was a dead drain's, and the next claim takes it.
 */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`
    select case when first.at is not null then
      case h.breaker when 'open' then greatest(h.probe_at, h.throttled_until)
        else greatest(first.at, h.throttled_until, case when e.rate_per_second is not null then h.next_slot_at end) end end as at
    from endpoint e join endpoint_health h on h.endpoint_id = e.id join agency a on a.id = e.agency_id
      cross join lateral (select min(d.next_attempt_at) as at from delivery d
        where d.endpoint_id = e.id and d.status = 'pending' and d.ready) first
    where e.id = ${endpointId} and e.status = 'active' and e.deleted_at is null and a.status <> 'suspended'`.execute(
    queries.sql,
  );
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/** Makes the first of each lane go next, after what held it back has ended in another way than by an attempt. */
export async function promoteLanes(tx: Tx, endpointId: string, lanes: readonly string[]): Promise<void> {
  await sql`select promote_lanes(${endpointId}, ${lanes}::text[])`.execute(tx.sql);
}

/** Returns how many endpoints have lanes that go on without their failing head. */
export async function passFailingHeads(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`select pass_failing_heads(${tx.now}, ${limit}) as id`.execute(tx.sql);
  for (const { id } of rows) tx.wake('delivery', id);
  return rows.length;
}
