import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database, Queries, Tx } from './database.ts';
import { insertEndpointHistory } from './endpoint-history.ts';
import type { Actor } from './endpoint-history.ts';
import { laneOf } from './event.ts';
import { lockForReplay, requeue } from './requeue.ts';

export interface Replay {
  endpointId: string;
  /** By the time of the events. */
  since: Date;
  until: Date | null;
  /** What has used up its attempts, or everything that the endpoint asks for: what was delivered or never meant for it, too. */
  only: 'failed' | 'all';
  /** Of what has used up its attempts: what did so since then. */
  endedSince?: Date;
  dryRun: boolean;
  /** It stops behind so many, where somebody waits for it. */
  most?: number;
}

export interface Replayed {
  count: number;
  /** Where there was more than one call does. */
  continueFrom: Date | null;
}

/** As many as one transaction takes: it keeps their lanes locked meanwhile. */
const CHUNK = 500;
/** The order of commits is not quite that of the events' times. */
const OVERLAP_MS = 5_000;

/**
 * Puts deliveries back in their lanes, at the beginning of the ladder; what is pending stays as it is. In small
 * transactions, each complete by itself: after a crash it is called again.
 */
export async function replayEvents(database: Database, replay: Replay, by: Actor): Promise<Replayed> {
  if (replay.dryRun) {
    return { count: await database.read((queries) => countReplayed(queries, replay)), continueFrom: null };
  }
  const asOf = database.clock.now();
  const takeChunk = replay.only === 'failed' ? replayFailed : replayAll;
  let count = 0;
  let after: Place | null = null;
  for (;;) {
    const chunk: Chunk = await database.transaction((tx) => takeChunk(tx, replay, after, asOf));
    count += chunk.count;
    after = chunk.last;
    const isDone = after === null;
    if (!isDone && count < (replay.most ?? Infinity)) continue;
    const continueFrom = after === null ? null : continuing(replay, after);
    await database.transaction((tx) => recordReplay(tx, replay, { count, continueFrom }, by));
    return { count, continueFrom };
  }
}

/** What failed and was put back has not failed any more, so the same span has only the rest. */
function continuing({ only, since }: Replay, { at }: Place): Date {
  const next = new Date(at.getTime() - OVERLAP_MS);
  return only === 'failed' || next < since ? since : next;
}

/** Where a chunk ended: by the order it is read in. */
interface Place {
  order: string;
  id: string;
  at: Date;
}

interface Chunk {
  count: number;
  last: Place | null;
}

function inSpan(at: RawBuilder<unknown>, { since, until }: Replay): RawBuilder<unknown> {
  return sql`${at} >= ${since}::timestamptz and (${until}::timestamptz is null or ${at} < ${until}::timestamptz)`;
}

/** Of `delivery d`: those whose event is gone have nothing to be posted. */
function failedOf(replay: Replay): RawBuilder<unknown> {
  return sql`d.endpoint_id = ${replay.endpointId} and d.status = 'failed' and ${inSpan(sql`d.event_created_at`, replay)}
    and d.done_at >= ${replay.endedSince ?? new Date(0)}
    and exists (select 1 from event v where v.id = d.event_id and v.created_at = d.event_created_at)`;
}

interface Wanting {
  agencyId: string;
  tenantIds: string[] | null;
  events: string[];
}

/** Read apart: the events of one agency, named, are read in the order of their index. */
async function wantedOf(queries: Queries, endpointId: string): Promise<Wanting | undefined> {
  const { rows } = await sql<Wanting>`
    select agency_id as "agencyId", tenant_ids as "tenantIds", events from endpoint
    where id = ${endpointId} and deleted_at is null`.execute(queries.sql);
  return rows[0];
}

/** Of `event v`. */
function wantedBy({ agencyId, tenantIds, events }: Wanting, replay: Replay): RawBuilder<unknown> {
  return sql`v.agency_id = ${agencyId} and v.type = any(${events}::text[])
    and (${tenantIds}::text[] is null or v.tenant_id = any(${tenantIds}::text[])) and v.trial_of is null
    and v.not_to is distinct from ${replay.endpointId} and ${inSpan(sql`v.created_at`, replay)}`;
}

async function countReplayed(queries: Queries, replay: Replay): Promise<number> {
  const wanting = await wantedOf(queries, replay.endpointId);
  if (!wanting) return 0;
  const counted =
    replay.only === 'failed'
      ? sql<{ n: number }>`select count(*)::int as n from delivery d where ${failedOf(replay)}`
      : sql<{ n: number }>`select count(*)::int as n from event v where ${wantedBy(wanting, replay)}
          and not exists (select 1 from delivery d
            where d.event_id = v.id and d.endpoint_id = ${replay.endpointId} and d.status = 'pending')`;
  const { rows } = await counted.execute(queries.sql);
  return rows[0]?.n ?? 0;
}

async function replayFailed(tx: Tx, replay: Replay, after: Place | null): Promise<Chunk> {
  await lockForReplay(tx, replay.endpointId);
  const { rows } = await sql<{ id: string; lane: string; at: string }>`
    select d.id::text as id, d.lane, d.event_created_at as at from delivery d
    where ${failedOf(replay)} and d.id > ${after?.id ?? '0'}::bigint
    order by d.id limit ${CHUNK} for update of d`.execute(tx.sql);
  await requeue(tx, replay.endpointId, rows);
  const last = rows.length < CHUNK ? undefined : rows.at(-1);
  return { count: rows.length, last: last ? { order: '', id: last.id, at: new Date(last.at) } : null };
}

interface WantedEvent {
  id: string;
  txid: string;
  at: string;
  deliveryId: string | null;
  lane: string | null;
  isReplayed: boolean;
}

async function replayAll(tx: Tx, replay: Replay, after: Place | null, asOf: Date): Promise<Chunk> {
  await lockForReplay(tx, replay.endpointId);
  const wanting = await wantedOf(tx, replay.endpointId);
  if (!wanting) return { count: 0, last: null };
  const { rows } = await sql<WantedEvent>`
    with wanted as (
      select v.id, v.txid, v.created_at from event v
      where ${wantedBy(wanting, replay)}
        and (v.txid, v.id) > (${after?.order ?? '0'}::xid8, ${after?.id ?? ''})
      order by v.txid, v.id limit ${CHUNK}
    )
    select w.id, w.txid::text as txid, w.created_at as at, d.id::text as "deliveryId", d.lane,
      d.id is null or (d.status <> 'pending' and d.done_at <= ${asOf}) as "isReplayed"
    from wanted w left join delivery d on d.event_id = w.id and d.endpoint_id = ${replay.endpointId}
    order by w.txid, w.id`.execute(tx.sql);
  const replayed = rows.filter(({ isReplayed }) => isReplayed);
  const missing = replayed.filter(({ deliveryId }) => deliveryId === null);
  const made = await insertDeliveries(
    tx,
    replay.endpointId,
    missing.map(({ id }) => id),
  );
  const known = replayed.flatMap(({ deliveryId, lane }) =>
    deliveryId === null ? [] : [{ id: deliveryId, lane: lane ?? '' }],
  );
  await requeue(tx, replay.endpointId, [...known, ...made]);
  const last = rows.length < CHUNK ? undefined : rows.at(-1);
  return {
    count: replayed.length,
    last: last ? { order: last.txid, id: last.id, at: new Date(last.at) } : null,
  };
}

/** In the order of the events; not yet ready. */
export async function insertDeliveries(
  tx: Tx,
  endpointId: string,
  eventIds: readonly string[],
): Promise<{ id: string; lane: string }[]> {
  if (eventIds.length === 0) return [];
  const { rows } = await sql<{ id: string; lane: string }>`
    insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, ready, next_attempt_at)
    select e.id, v.agency_id, v.tenant_id, v.id, v.created_at,
      ${laneOf(sql`false`, sql`v.id`, sql`v.conversation_id`, sql`v.session_id`)}, false, ${tx.now}
    from endpoint e join event v on v.agency_id = e.agency_id
    where e.id = ${endpointId} and v.id = any(${eventIds}::text[]) order by v.id
    returning id::text as id, lane`.execute(tx.sql);
  return rows;
}

async function recordReplay(tx: Tx, replay: Replay, { count, continueFrom }: Replayed, by: Actor): Promise<void> {
  await insertEndpointHistory(tx, replay.endpointId, {
    action: replay.only === 'failed' ? 'recover' : 'replay',
    by,
    detail: { since: replay.since, until: replay.until, count, continueFrom },
  });
}
