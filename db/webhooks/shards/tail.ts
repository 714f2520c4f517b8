import { z } from 'zod';
import { one, rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';
import { COLUMNS, DeliveryRow, toNewDelivery } from './new-delivery.ts';
import type { NewDelivery } from './new-delivery.ts';

/** Position in the shards. A cursor is the text of `pg_current_snapshot`. */
export interface TailPlace {
  cursor: string;
  shards: readonly number[];
}

export interface Tail {
  /** New deliveries in the order of their places; empty when there are more than the limit. */
  deliveries: NewDelivery[];
  /** Endpoints that somebody has decided about. */
  touched: string[];
  /** The endpoints that have new deliveries when those are more than the limit. */
  behind: string[];
  /** Small bodies of the deliveries' events, by the events' ids. */
  bodies: ReadonlyMap<string, string>;
  /** The cursor of all shards of this reading. */
  cursor: string;
}

const NewRow = DeliveryRow.extend({ body: z.string().nullable() });
/** A delivery that cannot be read. It must stop its endpoint alone, and not the reading of all. */
const OddRow = z.object({ endpointId: z.string() });
const HeadRow = z.object({
  id: z.null(),
  cursor: z.string(),
  touched: z.array(z.string()),
  behind: z.array(z.string()),
});
const TailRow = z.union([NewRow, HeadRow, OddRow]);

/**
 * Reads what has become pending in these shards since the cursors, and which endpoints were decided about, in one
 * statement (`tail.sql`). Nothing comes twice, and nothing that is committed is missed. The bodies of the events come
 * along when no more than `bodies` deliveries are new, and never unless that is said.
 */
export async function readTail(
  queries: Queries,
  { from, limit, bodies = 0 }: { from: readonly TailPlace[]; limit: number; bodies?: number },
): Promise<Tail> {
  const found = await rows(queries, TailRow)`
    select d.next_cursor as cursor, d.touched, d.behind, ${COLUMNS}, d.body
    from read_tail(${from.map(({ cursor }) => cursor)}::text[],
      ${from.map(({ shards }) => `{${shards.join()}}`)}::text[], ${limit}, ${bodies}) d`;
  const [head, ...read] = found;
  if (!head || !('cursor' in head)) throw new Error('A reading of shards has no cursor.');
  const news = read.flatMap((each) => ('body' in each ? [each] : []));
  const odd = read.flatMap((each) => ('endpointId' in each && !('body' in each) ? [each.endpointId] : []));
  return {
    deliveries: news.map(({ body: _body, ...row }) => toNewDelivery(row)),
    touched: [...new Set(head.touched)],
    // The endpoint of a row that cannot be read is read by pages, which try each endpoint alone.
    behind: [...new Set([...head.behind, ...odd])],
    bodies: new Map(news.flatMap(({ eventId, body }) => (body === null ? [] : [[eventId, body]]))),
    cursor: head.cursor,
  };
}

const ShardsRow = z.object({ cursor: z.string(), endpointIds: z.array(z.string()) });

/** Reads what a new owner of these shards begins with: their endpoints with pending deliveries, and the cursor. */
export async function readShards(
  queries: Queries,
  shards: readonly number[],
): Promise<{ endpointIds: string[]; cursor: string }> {
  return one(queries, ShardsRow)`
    select next_cursor as cursor, endpoints as "endpointIds" from read_shards(${shards}::smallint[])`;
}

export interface PageAsked {
  endpointId: string;
  /** The place after which the page begins; -1 for the first page. */
  after: number;
  limit: number;
}

/** Reads a page of each endpoint's pending deliveries, due or not, in the order of their places. */
export async function readPages(queries: Queries, asked: readonly PageAsked[]): Promise<NewDelivery[]> {
  if (asked.length === 0) return [];
  const found = await rows(queries, DeliveryRow)`
    select ${COLUMNS} from read_pages(${asked.map(({ endpointId }) => endpointId)}::text[],
      ${asked.map(({ after }) => after)}::float8[], ${asked.map(({ limit }) => limit)}::integer[]) d`;
  return found.map(toNewDelivery);
}

/** Reads the pending deliveries of lanes after a place, without those that were sent out of their order. */
export async function readLanes(
  queries: Queries,
  asked: readonly (PageAsked & { lane: string })[],
): Promise<NewDelivery[]> {
  if (asked.length === 0) return [];
  const found = await rows(queries, DeliveryRow)`
    select ${COLUMNS} from read_lanes(${asked.map(({ endpointId }) => endpointId)}::text[],
      ${asked.map(({ lane }) => lane)}::text[], ${asked.map(({ after }) => after)}::float8[],
      ${asked.map(({ limit }) => limit)}::integer[]) d`;
  return found.map(toNewDelivery);
}

/** Reads deliveries whose next attempt comes due after `after` and until `until`, the earliest first. */
export async function readDue(
  queries: Queries,
  { shards, after, until, limit }: { shards: readonly number[]; after: Date; until: Date; limit: number },
): Promise<NewDelivery[]> {
  const found = await rows(queries, DeliveryRow)`
    select ${COLUMNS} from read_due(${shards}::smallint[], ${after}, ${until}, ${limit}) d`;
  return found.map(toNewDelivery);
}

const BodyRow = z.object({ id: z.string(), body: z.string() });

/** Reads the bodies of events, each once. An event that is no longer kept is left out. */
export async function readBodies(
  queries: Queries,
  events: readonly { id: string; createdAt: string }[],
): Promise<Map<string, string>> {
  if (events.length === 0) return new Map();
  const found = await rows(queries, BodyRow)`
    select id, body from read_bodies(${events.map(({ id }) => id)}::text[],
      ${events.map(({ createdAt }) => createdAt)}::timestamptz[])`;
  return new Map(found.map(({ id, body }) => [id, body]));
}
