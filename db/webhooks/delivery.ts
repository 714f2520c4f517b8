import { z } from 'zod';
import type { AttemptClass, Verdict } from '../../domain/webhooks/retry.ts';
import { IdRow, Timestamp } from '../columns.ts';
import { hold, row, rows, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { OldSecret } from './endpoint-secrets.ts';
import { wakeOwner } from './shards/shard-of.ts';

const ClaimedRow = z.object({
  place: z.int(),
  state: z.null(),
  id: z.string(),
  eventId: z.string(),
  body: z.string(),
  attempts: z.int(),
  ladderStep: z.int(),
  /** Set when this is the one attempt that an open breaker allows; `early` when the attempt was not due yet. */
  probe: z.enum(['early', 'due']).nullable(),
});
export type ClaimedDelivery = Omit<z.output<typeof ClaimedRow>, 'place' | 'state'>;

/** The owner whose attempts are counted together: an agency, or the one tenant that the endpoint serves. */
export type DrainOwner = string;

const OwnerRow = z.object({ owner: z.string() });

/**
 * Finds the owner of an endpoint's attempts. The drain needs it before the first claim, which may take no more slots
 * than the owner has left.
 */
export async function drainOwner(queries: Queries, endpointId: string): Promise<DrainOwner> {
  const found = await row(queries, OwnerRow)`
    select e.agency_id || case when cardinality(e.tenant_ids) = 1 then '/' || e.tenant_ids[1] else '' end as owner
    from endpoint e where e.id = ${endpointId}`;
  return found?.owner ?? '';
}

const LeaseRow = z.object({ token: z.string() });

/**
 * Renews the leases that these drains still hold, and returns the tokens of those. A crashing server may forget a
 * lease; its drain then ends at the next claim.
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
  /** `taken`: another drain has the endpoint. `closed`: the endpoint is not active, or its agency is suspended. */
  state: z.enum(['taken', 'closed']),
  /**
   * `state`: the endpoint is attempted in another way from now on. `health`: the endpoint began or ceased to fail, or a
   * delivery has used up its attempts.
   */
  changed: z.enum(['state', 'health']).nullable(),
  /** True when the drain holds the endpoint's lease now. */
  held: z.boolean(),
  /**
   * The time at which the next delivery is due, for a drain that has ended; null when nothing pending could be
   * attempted.
   */
  nextAt: Timestamp.nullable(),
});

const Endpoint = z.object({
  url: z.string(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  headers: z.instanceof(Buffer).nullable(),
  timeoutMs: z.int(),
  // The column holds bigints, which arrive as text.
  ladder: z.array(z.coerce.number()).nullable(),
  /** The number of attempts that the endpoint gets at a time now. */
  atOnce: z.int(),
  /** The number of deliveries that may be claimed ahead of those attempts. */
  ahead: z.int(),
  /** The time before which nothing is posted; null when there is none. */
  holdUntil: Timestamp.nullable(),
});
/** The endpoint as a claim found it. */
export type DrainedEndpoint = z.output<typeof Endpoint> & { id: string };

/**
 * A row of a step's answer: one row tells the endpoint's state, and each other row is a delivery that the step has
 * claimed.
 */
const StepRow = z.discriminatedUnion('state', [
  StateRow,
  StateRow.extend({ ...Endpoint.shape, state: z.literal('open') }),
  ClaimedRow,
]);
type StepRow = z.output<typeof StepRow>;

/** A row of any step. The rest of it is held to its schema with the rows of the same step. */
const PlacedRow = z.looseObject({ place: z.int() });

/** The result of an attempt, as its record keeps it. */
export interface AttemptOutcome {
  class: AttemptClass;
  status: number | null;
  durationMs: number;
  connectMs: number | null;
  firstByteMs: number | null;
  reused: boolean;
  /** The beginning of the answer's body as text, or `base64:` and its bytes when they are not text. */
  excerpt: string | null;
  /** The URL to which a redirect leads that was not followed. */
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
  /** The number of deliveries that are claimed and not in `results`. */
  inFlight: number;
  /** The number of deliveries that may be claimed; 0 in a step that only records. */
  room: number;
  /** True when the lease is to be given back if nothing is claimed. */
  ends: boolean;
}

export interface StepLeases {
  deliveryMs: number;
  drainMs: number;
}

export interface Stepped extends Omit<z.output<typeof StateRow>, 'place' | 'state'> {
  state: 'open' | 'taken' | 'closed';
  /** The endpoint; null when this drain may not attempt it. */
  endpoint: DrainedEndpoint | null;
  deliveries: ClaimedDelivery[];
}

/**
 * Records the results of attempts and claims due deliveries, for each of these drains, in one statement
 * (`db/former-drains.sql`). Leases use the database's own time. A step whose rows differ from their schema has an
 * error in its place. The others have their answers, because what the statement did for them is committed.
 */
export async function drainSteps(tx: Tx, steps: readonly Step[], leases: StepLeases): Promise<(Stepped | Error)[]> {
  const asked = steps.map((step, place) => ({ ...step, place, results: step.results.map(numbered) }));
  const stepped = await rows(tx, PlacedRow)`
    select place, changed, state, held, next_at as "nextAt", url, secret, old_secrets as "oldSecrets", headers,
      timeout_ms as "timeoutMs", ladder, at_once as "atOnce", ahead, hold_until as "holdUntil",
      delivery_id as id, event_id as "eventId", body, attempts,
      ladder_step as "ladderStep", probe
    from drain_steps(${JSON.stringify(asked)}::jsonb, ${leases.deliveryMs}, ${leases.drainMs}, ${tx.now})`;
  const ofPlace = Map.groupBy(stepped, ({ place }) => place);
  return steps.map(({ endpointId }, place) => toStepped(endpointId, ofPlace.get(place) ?? []));
}

function numbered(result: AttemptRecord, place: number): AttemptRecord & { place: number } {
  return { ...result, place };
}

function toStepped(endpointId: string, answered: readonly unknown[]): Stepped | Error {
  try {
    return steppedOf(
      endpointId,
      answered.map((each) => hold(StepRow, each, () => 'drain_steps of db/former-drains.sql')),
    );
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function steppedOf(endpointId: string, ofStep: readonly StepRow[]): Stepped {
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

/** Finds when the endpoint's next delivery is due; null when nothing is pending that could be attempted. */
export async function nextDeliveryAt(queries: Queries, endpointId: string): Promise<Date | null> {
  const found = await row(queries, DueRow)`select next_delivery_at(${endpointId}) as at`;
  return found?.at ?? null;
}

/** Passes heads that keep failing, so that their lanes go on; returns how many endpoints have such lanes. */
export async function passFailingHeads(tx: Tx, limit: number): Promise<number> {
  const found = await rows(tx, IdRow)`select pass_failing_heads(${tx.now}, ${limit}) as id`;
  for (const { id } of found) wakeOwner(tx, id);
  return found.length;
}
