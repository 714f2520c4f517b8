import { z } from 'zod';
import type { AttemptClass, Verdict } from '../../domain/webhooks/retry.ts';
import { IdRow, Timestamp } from '../columns.ts';
import { row, rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { OldSecret } from './endpoint-secrets.ts';

const ClaimedRow = z.object({
  place: z.int(),
  state: z.null(),
  id: z.string(),
  eventId: z.string(),
  body: z.string(),
  attempts: z.int(),
  ladderStep: z.int(),
  /** Set where this is the one attempt that an open breaker allows; `early` where it would not have been due. */
  probe: z.enum(['early', 'due']).nullable(),
});
export type ClaimedDelivery = Omit<z.output<typeof ClaimedRow>, 'place' | 'state'>;

/** The owner whose attempts are counted together: an agency, or the one tenant that the endpoint serves. */
export type DrainOwner = string;

const OwnerRow = z.object({ owner: z.string() });

/** Finds the owner before the first claim, which may take no more slots than the owner has left. */
export async function drainOwner(queries: Queries, endpointId: string): Promise<DrainOwner> {
  const found = await row(queries, OwnerRow)`
    select e.agency_id || case when cardinality(e.tenant_ids) = 1 then '/' || e.tenant_ids[1] else '' end as owner
    from endpoint e where e.id = ${endpointId}`;
  return found?.owner ?? '';
}

const LeaseRow = z.object({ token: z.string() });

/**
 * Renews the leases that these drains still hold, and returns whose. A crashing server may forget one, and then its
 * drain ends at the next claim.
 */
export async function renewDrains(tx: Tx, tokens: readonly string[], drainMs: number): Promise<string[]> {
  const found = await rows(tx, LeaseRow)`
    with quick as (select set_config('synchronous_commit', 'off', true))
    update endpoint_drain set drained_until = clock_timestamp() + ${drainMs} * interval '1 millisecond'
    from quick where token = any(${tokens}::uuid[]) returning token`;
  return found.map(({ token }) => token);
}

export async function releaseDrain(tx: Tx, endpointId: string, token: string): Promise<void> {
  await run(tx)`update endpoint_drain set token = null, drained_until = null
    where endpoint_id = ${endpointId} and token = ${token}`;
}

const StateRow = z.object({
  place: z.int(),
  /** `taken`: another drain has the endpoint. `closed`: it is not active, or its agency is suspended. */
  state: z.enum(['taken', 'closed']),
  /**
   * `state`: the endpoint is attempted in another way from now on. `health`: it began or ceased to fail, or an event
   * ended as failed.
   */
  changed: z.enum(['state', 'health']).nullable(),
  /** The drain has its lease now. */
  held: z.boolean(),
  /**
   * The time at which something is due again, for a drain that has ended; null when nothing pending could be attempted.
   */
  nextAt: Timestamp.nullable(),
});

const Endpoint = z.object({
  url: z.string(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  headers: z.instanceof(Buffer).nullable(),
  timeoutMs: z.int(),
  // Its column holds bigints, which arrive as text.
  ladder: z.array(z.coerce.number()).nullable(),
  /** How many attempts it gets at a time now. */
  atOnce: z.int(),
  /** How many more may be claimed ahead of them. */
  ahead: z.int(),
  /** Nothing is posted before then. */
  holdUntil: Timestamp.nullable(),
});
/** The endpoint as a claim found it. */
export type DrainedEndpoint = z.output<typeof Endpoint> & { id: string };

/** One row of each step says how it stands; each of the others is a delivery that it has claimed. */
const StepRow = z.discriminatedUnion('state', [
  StateRow,
  StateRow.extend({ ...Endpoint.shape, state: z.literal('open') }),
  ClaimedRow,
]);
type StepRow = z.output<typeof StepRow>;

/** What came of an attempt, as its record keeps it. */
export interface AttemptOutcome {
  class: AttemptClass;
  status: number | null;
  durationMs: number;
  connectMs: number | null;
  firstByteMs: number | null;
  reused: boolean;
  /** The beginning of the answer's body: as text, or `base64:` and its bytes where they are no text. */
  excerpt: string | null;
  /** Where a redirect that was not followed points to. */
  location: string | null;
}

export interface AttemptRecord extends Verdict, AttemptOutcome {
  id: string;
  probe: boolean;
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

export interface Stepped extends Omit<z.output<typeof StateRow>, 'place' | 'state'> {
  state: 'open' | 'taken' | 'closed';
  /** Null when it is not ours to attempt. */
  endpoint: DrainedEndpoint | null;
  deliveries: ClaimedDelivery[];
}

/**
 * Records what has come of attempts and claims what is due, for each of these drains, in one statement
 * (`db/webhooks/delivery.sql`). Leases use the database's own time.
 */
export async function drainSteps(tx: Tx, steps: readonly Step[], leases: StepLeases): Promise<Stepped[]> {
  const asked = steps.map((step, place) => ({ ...step, place, results: step.results.map(numbered) }));
  const stepped = await rows(tx, StepRow)`
    select place, changed, state, held, next_at as "nextAt", url, secret, old_secrets as "oldSecrets", headers, timeout_ms as "timeoutMs",
      ladder, at_once as "atOnce", ahead, hold_until as "holdUntil", delivery_id as id, event_id as "eventId", body, attempts,
      ladder_step as "ladderStep", probe
    from drain_steps(${JSON.stringify(asked)}::jsonb, ${leases.deliveryMs}, ${leases.drainMs}, ${tx.now})`;
  const ofPlace = Map.groupBy(stepped, ({ place }) => place);
  return steps.map((step, place) => toStepped(step.endpointId, ofPlace.get(place) ?? []));
}

function numbered(result: AttemptRecord, place: number): AttemptRecord & { place: number } {
  return { ...result, place };
}

function toStepped(endpointId: string, ofStep: readonly StepRow[]): Stepped {
  const told = ofStep.find((each) => each.state !== null);
  if (!told) throw new Error('A step of a drain has no answer.');
  const { state, changed, held, nextAt } = told;
  const endpoint = told.state === 'open' ? toEndpoint(endpointId, told) : null;
  return { state, changed, held, nextAt, endpoint, deliveries: ofStep.filter((each) => each.state === null) };
}

function toEndpoint(id: string, told: z.output<typeof Endpoint>): DrainedEndpoint {
  const { url, secret, oldSecrets, headers, timeoutMs, ladder, atOnce, ahead, holdUntil } = told;
  return { id, url, secret, oldSecrets, headers, timeoutMs, ladder, atOnce, ahead, holdUntil };
}

const DueRow = z.object({ at: Timestamp.nullable() });

/** When the endpoint next has something to do; null when nothing is pending that could be attempted. */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const found = await row(queries, DueRow)`select next_delivery_at(${endpointId}) as at`;
  return found?.at ?? null;
}

/** Makes the first of each lane go next, when the delivery before it has ended without an attempt. */
export async function promoteLanes(tx: Tx, endpointId: string, lanes: readonly string[]): Promise<void> {
  await run(tx)`select promote_lanes(${endpointId}, ${lanes}::text[])`;
}

/** The endpoint and the lane at which a look through the lanes has stopped. */
export type LaneCursor = [endpointId: string, lane: string];

const RepairedRow = z.object({
  endpointId: z.string().nullable(),
  lane: z.string().nullable(),
  repaired: z.array(z.string()),
});

/** Looks at `limit` lanes behind `after` and promotes where that was missed. Null when there are no more. */
export async function repairLanes(tx: Tx, limit: number, after: LaneCursor | null = null): Promise<LaneCursor | null> {
  const [endpoint, behind] = after ?? ['', ''];
  const found = await row(tx, RepairedRow)`
    select endpoint_id as "endpointId", lane, repaired from repair_lanes(${endpoint}, ${behind}, ${limit})`;
  for (const id of new Set(found?.repaired)) tx.wake('delivery', id);
  return found && found.endpointId !== null && found.lane !== null ? [found.endpointId, found.lane] : null;
}

/** Returns how many endpoints have lanes that go on without their failing head. */
export async function passFailingHeads(tx: Tx, limit: number): Promise<number> {
  const found = await rows(tx, IdRow)`select pass_failing_heads(${tx.now}, ${limit}) as id`;
  for (const { id } of found) tx.wake('delivery', id);
  return found.length;
}
