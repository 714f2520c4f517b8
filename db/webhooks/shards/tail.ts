import { z } from 'zod';
import { one, rows } from '../../rows.ts';
import type { Queries } from '../../tx.ts';
import { COLUMNS, DeliveryRow, toNewDelivery } from './new-delivery.ts';
import type { NewDelivery } from './new-delivery.ts';

/** Where a reading of shards goes on. A cursor is what `pg_current_snapshot` answers, as text. */
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
  /** The cursor of all shards of this reading. */
  cursor: string;
}

const HeadRow = z.object({
  id: z.null(),
  cursor: z.string(),
  touched: z.array(z.string()),
  behind: z.array(z.string()),
});
const TailRow = z.union([DeliveryRow, HeadRow]);

/**
 * Reads what has become pending in these shards since the cursors, and which endpoints were decided about, in one
 * statement (`tail.sql`). Nothing comes twice, and nothing that is committed is missed.
 */
export async function readTail(
  queries: Queries,
  { from, limit }: { from: readonly TailPlace[]; limit: number },
): Promise<Tail> {
  const found = await rows(queries, TailRow)`
    select d.next_cursor as cursor, d.touched, d.behind, ${COLUMNS}
    from read_tail(${from.map(({ cursor }) => cursor)}::text[],
      ${JSON.stringify(from.map(({ shards }) => shards))}::jsonb, ${limit}) d`;
  const [head, ...read] = found;
  if (head?.id !== null) throw new Error('A reading of shards has no cursor.');
  const { behind, cursor } = head;
  const touched = [...new Set(head.touched)];
  return {
    deliveries: read.flatMap((each) => (each.id === null ? [] : [toNewDelivery(each)])),
    touched,
    behind,
    cursor,
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
