import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Reach } from '../../../domain/scope.ts';
import { Timestamp } from '../../engine/columns.ts';
import { row, rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';

export interface EventFilter {
  type: string | null;
  sessionId: string | null;
  conversationId: string | null;
  since: Date | null;
  until: Date | null;
}

export interface PullFilter extends EventFilter {
  /** True to include the test events that were sent to try one endpoint. */
  tests: boolean;
}

/**
 * The place of an event in the order of pulling: first the number of its transaction, which never falls within a
 * session, then the place that the event got while its session's sequence was locked.
 */
export const EventPlace = z.object({ txid: z.string(), place: z.string() });
export type EventPlace = z.output<typeof EventPlace>;

/** A place before every event of a transaction. */
export const FIRST_PLACE = '-999999999999999999';

export const EventRow = EventPlace.extend({
  id: z.string(),
  type: z.string(),
  tenantId: z.string().nullable(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  sequence: z.int(),
  createdAt: Timestamp,
  isTrial: z.boolean(),
});
export type EventRecord = z.output<typeof EventRow>;

const EventBodyRow = EventRow.extend({
  /** The exact bytes that every attempt posts. */
  body: z.string(),
});
export type EventWithBody = z.output<typeof EventBodyRow>;

const COLUMNS = sql`v.id, v.txid::text as txid, v.place::text as place, v.type,
  v.tenant_id as "tenantId", v.session_id as "sessionId", v.conversation_id as "conversationId",
  v.sequence::float8 as sequence, v.created_at as "createdAt",
  v.trial_of is not null as "isTrial"`;

/** A condition on `event v`. A session's key sees only its session's events, so none about endpoints. */
export function inReach({ agencyId, tenantId, sessionId }: Reach): RawBuilder<unknown> {
  return sql`v.agency_id = ${agencyId} and (${tenantId}::text is null or v.tenant_id = ${tenantId})
    and (${sessionId}::text is null or v.session_id = ${sessionId})`;
}

function matches({ type, sessionId, conversationId, since, until }: EventFilter): RawBuilder<unknown> {
  return sql`(${type}::text is null or v.type = ${type}) and (${sessionId}::text is null or v.session_id = ${sessionId})
    and (${conversationId}::text is null or v.conversation_id = ${conversationId})
    and (${since}::timestamptz is null or v.created_at >= ${since}::timestamptz)
    and (${until}::timestamptz is null or v.created_at < ${until}::timestamptz)`;
}

/** Lists events, the newest first. */
export async function listEvents(
  queries: Queries,
  reach: Reach,
  filter: EventFilter,
  page: { before: EventPlace | null; limit: number },
): Promise<EventRecord[]> {
  const { before, limit } = page;
  const older = before === null ? sql`true` : sql`(v.txid, v.place) < (${before.txid}::xid8, ${before.place}::bigint)`;
  return rows(queries, EventRow)`
    select ${COLUMNS} from event v where ${inReach(reach)} and ${matches(filter)} and ${older}
    order by v.txid desc, v.place desc limit ${limit}`;
}

export async function findEvent(queries: Queries, reach: Reach, id: string): Promise<EventWithBody | undefined> {
  return row(queries, EventBodyRow)`
    select ${COLUMNS}, v.body from event v where v.id = ${id} and ${inReach(reach)}`;
}

const WholeEventRow = z.object({ whole: z.string() });

/**
 * Reads the whole of an event that is too large to be posted. It takes no scope: the caller has shown a signed address
 * that the engine made.
 */
export async function findWholeEvent(queries: Queries, id: string): Promise<string | undefined> {
  const found = await row(queries, WholeEventRow)`
    select coalesce(full_body, body) as whole from event where id = ${id}`;
  return found?.whole;
}

export interface Pulled<Event = EventWithBody> {
  events: Event[];
  hasMore: boolean;
  /** The cursor of the next page. No event can appear before it later. */
  next: EventPlace;
  /** True when newer events must wait until older transactions have ended. */
  isHeldBack: boolean;
}

/**
 * The reason why nothing can be read after a cursor: the database was restored from an earlier time and does not know
 * the cursor, or events after it are no longer kept.
 */
export type LostCursor = 'cursor_invalid' | 'cursor_expired';

/** Bounds the bytes of a page, because a page is held in memory and may have several large events. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const PageHead = z.object({
  oldestOpen: z.string(),
  isKnown: z.boolean(),
  isExpired: z.boolean(),
  isHeldBack: z.boolean(),
  hasMore: z.boolean(),
});
const pulled = PageHead.shape;
/** When there is nothing to pull, a single row without an event says so. */
const NothingRow = z.object({ ...pulled, id: z.null() });
const PulledRow = z.union([EventBodyRow.extend(pulled), NothingRow]);
const PulledNoteRow = z.union([EventRow.extend(pulled), NothingRow]);

interface Page {
  after: EventPlace | null;
  limit: number;
}

/**
 * Reads events after `after`, within each session in the order of its sequence. It reads only events whose transaction
 * number is lower than that of every open transaction. An event's number is never below that of the transaction that
 * wrote it, so no event can appear later before one that has been read. When a page holds everything, the next begins
 * with the oldest transaction that was open.
 */
export async function pullEvents(
  queries: Queries,
  reach: Reach,
  filter: PullFilter,
  page: Page,
): Promise<Pulled | LostCursor> {
  const bytesBefore = sql`sum(octet_length(v.body)) over w - octet_length(v.body)`;
  const columns = sql`v.body, ${bytesBefore} as bytes_before`;
  return pagedOf(await rows(queries, PulledRow)`${pageOf(reach, filter, page, columns)}`);
}

/** Reads the same events in the same order, without their bodies. */
export async function pullNotes(
  queries: Queries,
  reach: Reach,
  filter: PullFilter,
  page: Page,
): Promise<Pulled<EventRecord> | LostCursor> {
  return pagedOf(await rows(queries, PulledNoteRow)`${pageOf(reach, filter, page, sql`0 as bytes_before`)}`);
}

/** The statement of a page. `columns` says the size of what comes before an event in the page, as `bytes_before`. */
function pageOf(reach: Reach, filter: PullFilter, page: Page, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  const after = page.after ?? { txid: '0', place: FIRST_PLACE };
  const wanted = sql`${inReach(reach)} and ${matches(filter)} and (${filter.tests}::boolean or v.trial_of is null)`;
  return sql`
    with open as materialized (select pg_snapshot_xmin(pg_current_snapshot()) as oldest),
    found as (
      select ${COLUMNS}, row_number() over w as number, ${columns}
      from (
        select v.* from event v
        where ${wanted} and (v.txid, v.place) > (${after.txid}::xid8, ${after.place}::bigint)
          and v.txid < (select oldest from open)
        order by v.txid, v.place limit ${page.limit + 1}) v
      window w as (order by v.txid, v.place)
    ), page as (
      select * from found where number <= ${page.limit} and (bytes_before < ${MAX_PAGE_BYTES} or number = 1)
    )
    select p.*, o.oldest::text as "oldestOpen", ${after.txid}::xid8 <= o.oldest as "isKnown",
      ${page.after !== null} and exists (select 1 from event_expiry x where x.agency_id = ${reach.agencyId}
        and (x.txid, x.place) > (${after.txid}::xid8, ${after.place}::bigint)) as "isExpired",
      (select count(*) from found) > (select count(*) from page) as "hasMore",
      exists (select 1 from event v where ${wanted} and v.txid >= o.oldest) as "isHeldBack"
    from open o left join page p on true order by p.number`;
}

type PageRow<Event> = Event | z.output<typeof NothingRow>;

function pagedOf<Event extends EventPlace & { id: string } & z.output<typeof PageHead>>(
  found: readonly PageRow<Event>[],
): Pulled<Event> | LostCursor {
  const [first] = found;
  if (!first?.isKnown) return 'cursor_invalid';
  if (first.isExpired) return 'cursor_expired';
  const events = found.flatMap((each) => (each.id === null ? [] : [each]));
  const last = events.at(-1);
  const next =
    first.hasMore && last ? { txid: last.txid, place: last.place } : { txid: first.oldestOpen, place: FIRST_PLACE };
  return { events, hasMore: first.hasMore, next, isHeldBack: first.isHeldBack };
}
