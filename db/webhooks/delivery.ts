import { sql } from 'kysely';
import type { AttemptClass, Verdict } from '../../domain/webhooks/retry.ts';
import type { Queries, Tx } from '../tx.ts';
import type { OldSecret } from './endpoint-secrets.ts';

export interface ClaimedDelivery {
  id: string;
  eventId: string;
  body: string;
  attempts: number;
  ladderStep: number;
  /** Set where this is the one attempt that an open breaker allows; `early` where it would not have been due. */
  probe: 'early' | 'due' | null;
}

/** The owner whose attempts are counted together: an agency, or the one tenant that the endpoint serves. */
export type DrainOwner = string;

/** Finds the owner before the first claim, which may take no more slots than the owner has left. */
export async function drainOwner(queries: Queries, endpointId: string): Promise<DrainOwner> {
  const { rows } = await sql<{ owner: string }>`
    select e.agency_id || case when cardinality(e.tenant_ids) = 1 then '/' || e.tenant_ids[1] else '' end as owner
    from endpoint e where e.id = ${endpointId}`.execute(queries.sql);
  return rows[0]?.owner ?? '';
}

/**
 * Renews the leases that these drains still hold, and returns whose. A crashing server may forget one, and then its
 * drain ends at the next claim.
 */
export async function renewDrains(tx: Tx, tokens: readonly string[], drainMs: number): Promise<string[]> {
  const { rows } = await sql<{ token: string }>`
    with quick as (select set_config('synchronous_commit', 'off', true))
    update endpoint_drain set drained_until = clock_timestamp() + ${drainMs} * interval '1 millisecond'
    from quick where token = any(${tokens}::uuid[]) returning token`.execute(tx.sql);
  return rows.map(({ token }) => token);
}

export async function releaseDrain(tx: Tx, endpointId: string, token: string): Promise<void> {
  await sql`update endpoint_drain set token = null, drained_until = null
    where endpoint_id = ${endpointId} and token = ${token}`.execute(tx.sql);
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
  /** Nothing is posted before then. */
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

/** The results that a drain has to write, and the claims that it asks for. */
export interface Step {
  endpointId: string;
  /** The token under which the drain claims and writes. */
  token: string;
  results: readonly AttemptRecord[];
  /** How many deliveries are claimed and not in `results`. */
  inFlight: number;
  /** How many may be claimed; a step that only records says 0. */
  room: number;
  /** The lease is given back when nothing is claimed. */
  ends: boolean;
}

export interface StepLeases {
  deliveryMs: number;
  drainMs: number;
}

export interface Stepped {
  /** `state`: the endpoint is attempted in another way from now on. `health`: it began or ceased to fail, or an event ended as failed. */
  changed: 'state' | 'health' | null;
  /** `taken`: another drain has the endpoint. `closed`: it is not active, or its agency is suspended. */
  state: 'open' | 'taken' | 'closed';
  /** The drain has its lease now. */
  held: boolean;
  /**
   * The time at which something is due again, for a drain that has ended; null when nothing pending could be attempted.
   */
  nextAt: Date | null;
  /** Null when it is not ours to attempt. */
  endpoint: DrainedEndpoint | null;
  deliveries: ClaimedDelivery[];
}

interface StepRow {
  changed: 'state' | 'health' | null;
  state: 'open' | 'taken' | 'closed';
  held: boolean;
  nextAt: string | null;
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

type Row = { place: number } & ((StepRow & { id: null }) | (ClaimedDelivery & { state: null }));

/**
 * Records what has come of attempts and claims what is due, for each of these drains, in one statement
 * (`db/webhooks/delivery.sql`). Leases use the database's own time.
 */
export async function drainSteps(tx: Tx, steps: readonly Step[], leases: StepLeases): Promise<Stepped[]> {
  const asked = steps.map((step, place) => ({ ...step, place, results: step.results.map(numbered) }));
  const { rows } = await sql<Row>`
    select place, changed, state, held, next_at as "nextAt", url, secret, old_secrets as "oldSecrets", headers, timeout_ms as "timeoutMs",
      ladder, at_once as "atOnce", ahead, hold_until as "holdUntil", delivery_id as id, event_id as "eventId", body, attempts,
      ladder_step as "ladderStep", probe
    from drain_steps(${JSON.stringify(asked)}::jsonb, ${leases.deliveryMs}, ${leases.drainMs}, ${tx.now})`.execute(
    tx.sql,
  );
  const ofPlace = Map.groupBy(rows, ({ place }) => place);
  return steps.map((step, place) => toStepped(step.endpointId, ofPlace.get(place) ?? []));
}

function numbered(result: AttemptRecord, place: number): AttemptRecord & { place: number } {
  return { ...result, place };
}

function toStepped(endpointId: string, rows: readonly Row[]): Stepped {
  const row = rows.find((each) => each.state !== null);
  if (!row) throw new Error('A step of a drain has no answer.');
  const { changed, state, held, nextAt } = row;
  return {
    changed,
    state,
    held,
    nextAt: nextAt === null ? null : new Date(nextAt),
    endpoint: state === 'open' ? toEndpoint(endpointId, row) : null,
    deliveries: rows.filter((each) => each.state === null),
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

/** When the endpoint next has something to do; null when nothing is pending that could be attempted. */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const { rows } = await sql<{ at: string | null }>`select next_delivery_at(${endpointId}) as at`.execute(queries.sql);
  const at = rows[0]?.at ?? null;
  return at === null ? null : new Date(at);
}

/** Makes the first of each lane go next, when the delivery before it has ended without an attempt. */
export async function promoteLanes(tx: Tx, endpointId: string, lanes: readonly string[]): Promise<void> {
  await sql`select promote_lanes(${endpointId}, ${lanes}::text[])`.execute(tx.sql);
}

/** The endpoint and the lane at which a look through the lanes has stopped. */
export type LaneCursor = [endpointId: string, lane: string];

/** Looks at `limit` lanes behind `after` and promotes where that was missed. Null when there are no more. */
export async function repairLanes(tx: Tx, limit: number, after: LaneCursor | null = null): Promise<LaneCursor | null> {
  const [endpoint, behind] = after ?? ['', ''];
  const { rows } = await sql<{ endpointId: string | null; lane: string | null; repaired: string[] }>`
    select endpoint_id as "endpointId", lane, repaired from repair_lanes(${endpoint}, ${behind}, ${limit})`.execute(
    tx.sql,
  );
  const [row] = rows;
  for (const id of new Set(row?.repaired)) tx.wake('delivery', id);
  return row && row.endpointId !== null && row.lane !== null ? [row.endpointId, row.lane] : null;
}

/** Returns how many endpoints have lanes that go on without their failing head. */
export async function passFailingHeads(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`select pass_failing_heads(${tx.now}, ${limit}) as id`.execute(tx.sql);
  for (const { id } of rows) tx.wake('delivery', id);
  return rows.length;
}
