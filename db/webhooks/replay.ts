import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Database } from '../engine/database.ts';
import { IdRow } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { insertEndpointHistory } from './endpoint-history.ts';
import type { Actor } from './endpoint-history.ts';
import { lockForReplay, requeue } from './requeue.ts';
import { wakeOwner } from './shards/shard-of.ts';

export interface Replay {
  endpointId: string;
  /** The beginning of the range, which is compared with the times of the events. */
  since: Date;
  until: Date | null;
  /**
   * `failed`: deliveries that have used up their attempts. `all`: every event that the endpoint asks for, even if it
   * was delivered or never sent to the endpoint before.
   */
  only: 'failed' | 'all';
  /** Narrows `failed` to deliveries that have ended since this time. */
  endedSince?: Date;
}

/**
 * The place where a part of a replay ended. Failed deliveries are read in the order of their lanes, events in the order
 * of their commits.
 */
export interface ReplayPlace {
  order: string;
  id: string;
  /**
   * A delivery that has ended since this time is not sent again, because an earlier part of this replay has sent it.
   */
  asOf: Date;
}

export interface Replayed {
  count: number;
  /** The place where the next part begins; null when this was the last part. */
  continueFrom: ReplayPlace | null;
}

/** The number of rows of one chunk; its transaction keeps their lanes locked. */
const CHUNK = 500;

const CountRow = z.object({ n: z.int() });

/** Counts the events that a replay would send. */
export async function countReplayed(queries: Queries, replay: Replay): Promise<number> {
  const wanting = await wantedOf(queries, replay.endpointId);
  if (!wanting) return 0;
  const counted =
    replay.only === 'failed'
      ? sql`select count(*)::int as n from delivery d where ${failedOf(replay)}`
      : sql`select count(*)::int as n from event v where ${wantedBy(wanting, replay)}
          and not exists (select 1 from delivery d
            where d.event_id = v.id and d.endpoint_id = ${replay.endpointId} and d.status = 'pending')`;
  const found = await row(queries, CountRow)`${counted}`;
  return found?.n ?? 0;
}

/** Reports the progress of a replay, which may have to begin again after a crash. */
export interface ReplayProgress {
  onPart: (done: Replayed) => void;
  /** The progress that was reported last before the crash; null at the first call. */
  done: Replayed | null;
}

/**
 * Puts deliveries back in their lanes, at the first rung of the ladder; pending ones stay as they are. It works in
 * small transactions, so after a crash it is called again. Under the same request id it then leaves alone deliveries
 * that have ended since its first call.
 */
export async function replayEvents(
  database: Database,
  replay: Replay,
  by: Actor,
  { onPart, done }: ReplayProgress = { onPart: () => undefined, done: null },
): Promise<number> {
  const recorded = by.requestId !== undefined;
  const nothing = { count: 0, continueFrom: null };
  const asOf = recorded ? await database.transaction((tx) => recordReplay(tx, replay, nothing, by)) : undefined;
  let count = done?.count ?? 0;
  let after = done?.continueFrom ?? null;
  do {
    const part: Replayed = await database.transaction((tx) => replayChunk(tx, replay, after, asOf));
    count += part.count;
    after = part.continueFrom;
    onPart({ count, continueFrom: after });
  } while (after !== null);
  await database.transaction((tx) => recordReplay(tx, replay, { count, continueFrom: null }, by));
  return count;
}

/** One part of a replay has at most this many chunks, because a request waits for the part. */
const MAX_CHUNKS = 10;

/** Does the next part of a replay, in one transaction. */
export async function replayPart(
  tx: Tx,
  replay: Replay,
  from: ReplayPlace | null,
  by: Actor,
  most = { chunks: MAX_CHUNKS },
): Promise<Replayed> {
  let count = 0;
  let after = from;
  for (let chunks = 0; chunks < most.chunks; chunks += 1) {
    const chunk = await replayChunk(tx, replay, after);
    count += chunk.count;
    after = chunk.continueFrom;
    if (after === null) break;
  }
  await recordReplay(tx, replay, { count, continueFrom: after }, by);
  return { count, continueFrom: after };
}

async function replayChunk(tx: Tx, replay: Replay, after: ReplayPlace | null, since: Date = tx.now): Promise<Replayed> {
  if (!(await lockForReplay(tx, replay.endpointId))) return { count: 0, continueFrom: null };
  const asOf = after?.asOf ?? since;
  const { last, ...chunk } = await (replay.only === 'failed'
    ? replayFailed(tx, replay, after, asOf)
    : replayAll(tx, replay, after, asOf));
  return { ...chunk, continueFrom: last === null ? null : { ...last, asOf } };
}

interface Chunk {
  count: number;
  last: { order: string; id: string } | null;
}

function inSpan(at: RawBuilder<unknown>, { since, until }: Replay): RawBuilder<unknown> {
  return sql`${at} >= ${since}::timestamptz and (${until}::timestamptz is null or ${at} < ${until}::timestamptz)`;
}

/**
 * A condition on `delivery d`: it failed within the replay's range. It leaves out deliveries whose event is gone, and
 * those of tenants that the endpoint no longer serves.
 */
function failedOf(replay: Replay): RawBuilder<unknown> {
  return sql`d.endpoint_id = ${replay.endpointId} and d.status = 'failed' and ${inSpan(sql`d.event_created_at`, replay)}
    and d.done_at >= ${replay.endedSince ?? new Date(0)}
    and exists (select 1 from event v join endpoint e on e.id = d.endpoint_id
      where v.id = d.event_id and v.created_at = d.event_created_at and ${mayGet()})`;
}

/**
 * A condition on `event v` and `endpoint e`: the endpoint may have events of that tenant and session, or the event was
 * made to try the endpoint.
 */
export function mayGet(): RawBuilder<unknown> {
  return sql`((e.tenant_ids is null or v.tenant_id = any(e.tenant_ids))
    and (e.session_id is null or v.session_id = e.session_id) or v.trial_of = e.id)`;
}

const Wanting = z.object({
  agencyId: z.string(),
  tenantIds: z.array(z.string()).nullable(),
  sessionId: z.string().nullable(),
  events: z.array(z.string()),
});
type Wanting = z.output<typeof Wanting>;

/**
 * Reads which events an endpoint wants. This is a query of its own, because with the agency as a parameter the events
 * are read along their index.
 */
async function wantedOf(queries: Queries, endpointId: string): Promise<Wanting | undefined> {
  return row(queries, Wanting)`
    select agency_id as "agencyId", tenant_ids as "tenantIds", session_id as "sessionId", events from endpoint
    where id = ${endpointId} and deleted_at is null`;
}

/** A condition on `event v`: the endpoint wants it and it lies within the replay's range. */
function wantedBy({ agencyId, tenantIds, sessionId, events }: Wanting, replay: Replay): RawBuilder<unknown> {
  return sql`v.agency_id = ${agencyId} and v.type = any(${events}::text[])
    and (${tenantIds}::text[] is null or v.tenant_id = any(${tenantIds}::text[]))
    and (${sessionId}::text is null or v.session_id = ${sessionId}) and v.trial_of is null
    and v.not_to is distinct from ${replay.endpointId} and ${inSpan(sql`v.created_at`, replay)}`;
}

const FailedRow = z.object({ id: z.string(), place: z.string() });

async function replayFailed(tx: Tx, replay: Replay, after: ReplayPlace | null, asOf: Date): Promise<Chunk> {
  const found = await rows(tx, FailedRow)`
    select d.id::text as id, d.place::text as place from delivery d
    where ${failedOf(replay)} and d.done_at <= ${asOf}
      and (d.place, d.id) > (${after?.order ?? '-1'}::bigint, ${after?.id ?? '0'}::bigint)
    order by d.place, d.id limit ${CHUNK} for update of d`;
  await requeue(
    tx,
    replay.endpointId,
    found.map(({ id }) => id),
  );
  const last = found.length < CHUNK ? undefined : found.at(-1);
  return { count: found.length, last: last ? { order: last.place, id: last.id } : null };
}

const WantedRow = z.object({
  id: z.string(),
  txid: z.string(),
  place: z.string(),
  deliveryId: z.string().nullable(),
  isReplayed: z.boolean(),
});

async function replayAll(tx: Tx, replay: Replay, after: ReplayPlace | null, asOf: Date): Promise<Chunk> {
  const wanting = await wantedOf(tx, replay.endpointId);
  if (!wanting) return { count: 0, last: null };
  const found = await rows(tx, WantedRow)`
    with wanted as (
      select v.id, v.txid, v.place from event v
      where ${wantedBy(wanting, replay)}
        and (v.txid, v.place) > (${after?.order ?? '0'}::xid8, ${after?.id ?? '0'}::bigint)
      order by v.txid, v.place limit ${CHUNK}
    )
    select w.id, w.txid::text as txid, w.place::text as place, d.id::text as "deliveryId",
      d.id is null or (d.status <> 'pending' and d.done_at <= ${asOf}) as "isReplayed"
    from wanted w left join delivery d on d.event_id = w.id and d.endpoint_id = ${replay.endpointId}
    order by w.txid, w.place`;
  const replayed = found.filter(({ isReplayed }) => isReplayed);
  const missing = replayed.flatMap(({ id, deliveryId }) => (deliveryId === null ? [id] : []));
  await insertDeliveries(tx, replay.endpointId, missing);
  const known = replayed.flatMap(({ deliveryId }) => (deliveryId === null ? [] : [deliveryId]));
  await requeue(tx, replay.endpointId, known);
  const last = found.length < CHUNK ? undefined : found.at(-1);
  return { count: replayed.length, last: last ? { order: last.txid, id: last.place } : null };
}

/** Inserts deliveries at the places of their events, and returns their ids. */
export async function insertDeliveries(tx: Tx, endpointId: string, eventIds: readonly string[]): Promise<string[]> {
  if (eventIds.length === 0) return [];
  wakeOwner(tx, endpointId);
  const made = await rows(tx, IdRow)`
    insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, place, ready,
      next_attempt_at)
    select e.id, v.agency_id, v.tenant_id, v.id, v.created_at,
      case e.ordering when 'parallel' then v.id when 'fifo' then '' else coalesce(v.conversation_id, v.session_id, '')
        end,
      v.place, true, ${tx.now}
    from endpoint e join event v on v.agency_id = e.agency_id
    where e.id = ${endpointId} and v.id = any(${eventIds}::text[]) order by v.place
    returning id::text as id`;
  return made.map(({ id }) => id);
}

async function recordReplay(tx: Tx, replay: Replay, { count, continueFrom }: Replayed, by: Actor): Promise<Date> {
  return insertEndpointHistory(tx, replay.endpointId, {
    action: replay.only === 'failed' ? 'recover' : 'replay',
    by,
    detail: {
      since: replay.since,
      until: replay.until,
      endedSince: replay.endedSince ?? null,
      count,
      isWhole: continueFrom === null,
    },
  });
}
