import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { DEFAULT_EVENTS } from '../../domain/webhooks/event.ts';
import type { EventMetadata } from '../../domain/webhooks/event.ts';
import { row, rows } from '../rows.ts';
import type { NewEvent, Tx } from '../tx.ts';
import { eventBodies } from './event-body.ts';
import { newId } from '../new-id.ts';

interface EventRow {
  id: string;
  agencyId: string;
  tenantId: string | null;
  sessionId: string | null;
  conversationId: string | null;
  sequence: number;
  txid: string | null;
  type: string;
  body: string;
  fullBody: string | null;
  createdAt: string;
  trialOf: string | null;
  notTo: string | null;
}

/**
 * Writes events, and one delivery for each endpoint that wants them. This comes last in a transaction, because it locks
 * the row of the session's sequence until the commit; so the numbers have no gaps and the deliveries of one session
 * come in order.
 */
export async function insertEvents(tx: Tx, events: NewEvent[]): Promise<void> {
  const bySession = Map.groupBy(events, (event) => event.sessionId);
  // All transactions take sessions in the same order, because two of them could otherwise wait for each other.
  for (const sessionId of [...bySession.keys()].toSorted(byText)) {
    const ofSession = bySession.get(sessionId) ?? [];
    const counted = ofSession.filter(countsInSequence).length;
    const { before, txid } = sessionId === null ? UNCOUNTED : await takeSequence(tx, sessionId, counted);
    let sequence = before;
    await insertRows(
      tx,
      ofSession.map((event) => toRow(tx, event, { sequence: countsInSequence(event) ? ++sequence : sequence, txid })),
    );
  }
}

function byText(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : Number((a ?? '') > (b ?? ''));
}

const SequencePart = z.object({
  /** The number before the first number that is taken. */
  before: z.int(),
  /** The transaction number under which the events are pulled; null stands for the transaction that writes them. */
  txid: z.string().nullable(),
});
type SequencePart = z.output<typeof SequencePart>;

const UNCOUNTED: SequencePart = { before: 0, txid: null };

/**
 * Takes numbers of the session's sequence. A transaction may have begun before the one that wrote the session's last
 * event, and then has a lower number. Its events are pulled under the higher number, because they would otherwise come
 * before events with lower sequences.
 */
async function takeSequence(tx: Tx, sessionId: string, counted: number): Promise<SequencePart> {
  const found = await row(tx, SequencePart)`
    update session_sequence set last = last + ${counted}, last_txid = greatest(last_txid, pg_current_xact_id())
    where session_id = ${sessionId}
    returning (last - ${counted})::float8 as before, last_txid::text as txid`;
  if (!found) throw new Error('A session without a sequence row cannot emit events.');
  return found;
}

/**
 * True for events that count in the session's sequence: those that every endpoint gets by default. An endpoint that did
 * not ask for the others would see gaps. The others bear the number of the last counted event.
 */
function countsInSequence({ event, sessionId }: NewEvent): boolean {
  return sessionId !== null && DEFAULT_EVENTS.some((counted) => counted === event);
}

function toRow(tx: Tx, event: NewEvent, { sequence, txid }: Pick<EventRow, 'sequence' | 'txid'>): EventRow {
  const { id = newId('evt'), agencyId, tenantId, sessionId, conversationId, trialOf = null, notTo = null } = event;
  const occurredAt = tx.now.toISOString();
  const metadata: EventMetadata = { agencyId, tenantId, eventId: id, sequence, sessionId, conversationId, occurredAt };
  if (trialOf !== null) metadata.test = true;
  const where = { id, agencyId, tenantId, sessionId, conversationId, sequence, txid, trialOf, notTo };
  return { ...where, ...eventBodies(tx, event, metadata), type: event.event, createdAt: occurredAt };
}

const WokenRow = z.object({ endpointId: z.string() });

/**
 * Inserts events and their deliveries. Only the head of a lane is ready, so the heads are share-locked first. A drain
 * that is just finishing a head either waits for us and then sees our row, or has finished it, and then the lock is on
 * the next delivery, if there is one.
 */
async function insertRows(tx: Tx, made: EventRow[]): Promise<void> {
  const woken = await rows(tx, WokenRow)`
    with incoming as (
      -- Places are taken while the session's sequence is locked, so both have the same order. An event has the same
      -- place at every endpoint.
      select r.*, nextval('delivery_id_seq') as place
      from jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as r("id" text, "agencyId" text, "tenantId" text,
        "sessionId" text, "conversationId" text, "sequence" bigint, "txid" xid8, "type" text, "body" text,
        "fullBody" text, "createdAt" timestamptz, "trialOf" text, "notTo" text)
    ), stored as (
      insert into event (id, agency_id, tenant_id, session_id, conversation_id, sequence, type, body, full_body,
        trial_of, not_to, created_at, place, txid)
      select "id", "agencyId", "tenantId", "sessionId", "conversationId", "sequence", "type", "body", "fullBody",
        "trialOf", "notTo", "createdAt", place, coalesce("txid", pg_current_xact_id())
      from incoming
    ), candidate as (
      select i.*, e.id as endpoint_id, e.url, e.status, e.created_at as made_at,
        count(*) over (partition by i."id", e.url) > 1 as is_choice,
        ${laneOf(sql`i."trialOf" is not null`, sql`i."id"`, sql`i."conversationId"`, sql`i."sessionId"`)} as lane
      from incoming i join endpoint e on e.agency_id = i."agencyId"
        and e.deleted_at is null
        and case when i."trialOf" is not null then e.id = i."trialOf" else e.id is distinct from i."notTo"
          and (e.tenant_ids is null or i."tenantId" = any(e.tenant_ids)) and i."type" = any(e.events) end
    ), wanted as (
      -- Endpoints with equal URLs get an event once. The endpoint with older deliveries of the lane waiting gets it,
      -- even while it is paused, because the event would otherwise overtake them. Without such an endpoint an active
      -- one gets it, if there is one.
      select distinct on (c."id", c.url) c.* from candidate c
      order by c."id", c.url, c.is_choice and c.status <> 'disabled' and exists (select 1 from delivery d
        where d.endpoint_id = c.endpoint_id and d.lane = c.lane and d.status = 'pending') desc,
        c.status <> 'active', c.made_at
    ), lanes as (
      -- Lanes are locked in the order in which drains lock the deliveries that they record.
      select distinct endpoint_id collate "C" as endpoint_id, lane collate "C" as lane from wanted order by 1, 2
    ), head as (
      select lanes.endpoint_id, lanes.lane from lanes cross join lateral (
        select 1 from delivery d
        where d.endpoint_id = lanes.endpoint_id and d.lane = lanes.lane and d.status = 'pending' and not d.out_of_order
        order by d.place limit 1 for share of d) first
    )
    insert into delivery (endpoint_id, agency_id, tenant_id, event_id, event_created_at, lane, place, ready,
      next_attempt_at)
    select w.endpoint_id, w."agencyId", w."tenantId", w."id", w."createdAt", w.lane, w.place,
      not exists (select 1 from head h where h.endpoint_id = w.endpoint_id and h.lane = w.lane)
        and row_number() over (partition by w.endpoint_id, w.lane order by w.place) = 1,
      w."createdAt"
    from wanted w order by w.place
    returning endpoint_id as "endpointId"`;
  for (const endpointId of new Set(woken.map((row) => row.endpointId))) tx.wake('delivery', endpointId);
  for (const agencyId of new Set(made.map((row) => row.agencyId))) tx.wake('event', agencyId);
}

/** Selects the lane of an event at endpoint `e`. Deliveries of one lane go one after the other. */
export function laneOf(
  goesAlone: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  conversationId: RawBuilder<unknown>,
  sessionId: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${goesAlone} or e.ordering = 'parallel' then ${id} when e.ordering = 'fifo' then ''
    else coalesce(${conversationId}, ${sessionId}, '') end`;
}
