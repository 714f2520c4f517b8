import { z } from 'zod';
import { one, rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';
import { EventRow, FIRST_PLACE } from './event-list.ts';
import type { EventPlace, EventRecord } from './event-list.ts';

/** Position in an agency's events. */
export interface NewsAsked {
  agencyId: string;
  after: EventPlace;
}

/** New events of one agency. */
export interface News {
  events: EventRecord[];
  /** Position of the next read. */
  next: EventPlace;
  hasMore: boolean;
  /** True when newer events must wait until older transactions have ended. */
  isHeldBack: boolean;
  /** False when the database was restored from an earlier time than the place. */
  isKnown: boolean;
}

const Standing = z.object({
  agencyId: z.string(),
  oldestOpen: z.string(),
  isKnown: z.boolean(),
  isHeldBack: z.boolean(),
});
const NewsRow = z.union([EventRow.extend(Standing.shape), Standing.extend({ id: z.null() })]);

/** Events come to be told at most this long before they are written. A transaction is not open for as long. */
const WRITTEN_WITHIN_MS = 2 * 86_400_000;

/**
 * Reads what is new of agencies, at most `limit` events of each (`news.sql`). The places must be of just now: what was
 * written days before is not found.
 */
export async function readNews(
  queries: Queries,
  asked: readonly NewsAsked[],
  limit: number,
): Promise<Map<string, News>> {
  const since = new Date(queries.now.getTime() - WRITTEN_WITHIN_MS);
  const found = await rows(queries, NewsRow)`
    select n.agency_id as "agencyId", n.oldest_open as "oldestOpen", n.is_known as "isKnown",
      n.is_held_back as "isHeldBack", n.id, n.txid, n.place, n.type, n.tenant_id as "tenantId",
      n.session_id as "sessionId", n.conversation_id as "conversationId", n.sequence, n.created_at as "createdAt",
      n.is_trial as "isTrial"
    from read_news(${asked.map(({ agencyId }) => agencyId)}::text[], ${asked.map(({ after }) => after.txid)}::text[],
      ${asked.map(({ after }) => after.place)}::bigint[], ${since}, ${limit}) n`;
  return new Map([...Map.groupBy(found, ({ agencyId }) => agencyId)].map(([id, of]) => [id, newsOf(of, limit)]));
}

function newsOf(found: readonly z.output<typeof NewsRow>[], limit: number): News {
  const [first] = found;
  if (!first) throw new Error('The reading of an agency has no row.');
  const { oldestOpen, isHeldBack, isKnown } = first;
  const events = found.flatMap((each) => (each.id === null ? [] : [each]));
  const last = events.at(-1);
  const hasMore = events.length >= limit;
  const next = hasMore && last ? { txid: last.txid, place: last.place } : { txid: oldestOpen, place: FIRST_PLACE };
  return { events, next, hasMore, isHeldBack, isKnown };
}

const NowRow = z.object({ oldestOpen: z.string() });

/** Answers the place before which every event can be pulled already, and after which every other one comes. */
export async function placeOfNow(queries: Queries): Promise<EventPlace> {
  const { oldestOpen } = await one(queries, NowRow)`
    select pg_snapshot_xmin(pg_current_snapshot())::text as "oldestOpen"`;
  return { txid: oldestOpen, place: FIRST_PLACE };
}
