import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Reach } from '../domain/scope.ts';
import type { DeliveryStatus } from '../domain/webhook-record.ts';
import type { Queries } from './database.ts';
import { inReach } from './event-list.ts';

/** Numbers of rows are bigints of the database: a longer one is nobody's. */
export function isRowNumber(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

export interface DeliveryRecord {
  id: string;
  endpointId: string;
  eventId: string;
  tenantId: string | null;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: Date | null;
  firstAttemptAt: Date | null;
  endedAt: Date | null;
  lastClass: string | null;
  lastStatus: number | null;
  outOfOrder: boolean;
  isInFlight: boolean;
  eventAt: Date;
  lane: string;
}

type StoredDelivery = Omit<DeliveryRecord, 'nextAttemptAt' | 'firstAttemptAt' | 'endedAt' | 'eventAt'> & {
  nextAttemptAt: string | null;
  firstAttemptAt: string | null;
  endedAt: string | null;
  eventAt: string;
};

const COLUMNS = sql`d.id::text as id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.tenant_id as "tenantId",
  d.status, d.attempts, case when d.status = 'pending' and d.ready then d.next_attempt_at end as "nextAttemptAt",
  d.first_attempt_at as "firstAttemptAt", d.done_at as "endedAt", d.last_class as "lastClass",
  d.last_status as "lastStatus", d.out_of_order as "outOfOrder", d.event_created_at as "eventAt", d.lane,
  coalesce(d.leased_until > clock_timestamp(), false) as "isInFlight"`;

function dateOrNull(at: string | null): Date | null {
  return at === null ? null : new Date(at);
}

function toDelivery(row: StoredDelivery): DeliveryRecord {
  return {
    ...row,
    nextAttemptAt: dateOrNull(row.nextAttemptAt),
    firstAttemptAt: dateOrNull(row.firstAttemptAt),
    endedAt: dateOrNull(row.endedAt),
    eventAt: new Date(row.eventAt),
  };
}

/** Of `delivery d`; what belongs to one session is known by the event. */
function deliveryInReach(reach: Reach): RawBuilder<unknown> {
  const { agencyId, tenantId, sessionId } = reach;
  if (sessionId === null) {
    return sql`d.agency_id = ${agencyId} and (${tenantId}::text is null or d.tenant_id = ${tenantId})`;
  }
  return sql`exists (select 1 from event v where v.id = d.event_id and v.created_at = d.event_created_at and ${inReach(reach)})`;
}

/** Of `endpoint e`, the deleted ones too: they have a past. */
function endpoints(reach: Reach, endpointId: string | null): RawBuilder<unknown> {
  return sql`e.agency_id = ${reach.agencyId} and (${endpointId}::text is null or e.id = ${endpointId})`;
}

export interface DeliveryFilter {
  endpointId: string | null;
  eventId: string | null;
  status: DeliveryStatus | null;
  since: Date | null;
  until: Date | null;
}

/** The newest first, by endpoint along its own index. */
export async function listDeliveries(
  queries: Queries,
  reach: Reach,
  filter: DeliveryFilter,
  page: { before: string | null; limit: number },
): Promise<DeliveryRecord[]> {
  const { endpointId, eventId, status, since, until } = filter;
  const where = sql`${deliveryInReach(reach)} and (${status}::text is null or d.status = ${status})
    and (${since}::timestamptz is null or d.event_created_at >= ${since}::timestamptz)
    and (${until}::timestamptz is null or d.event_created_at < ${until}::timestamptz)
    and (${page.before}::bigint is null or d.id < ${page.before}::bigint)`;
  const found =
    eventId === null
      ? sql`endpoint e cross join lateral (select * from delivery d where d.endpoint_id = e.id and ${where}
          order by d.id desc limit ${page.limit}) d where ${endpoints(reach, endpointId)}`
      : sql`delivery d join endpoint e on e.id = d.endpoint_id
          where d.event_id = ${eventId} and ${endpoints(reach, endpointId)} and ${where}`;
  const { rows } = await sql<StoredDelivery>`
    select ${COLUMNS} from ${found} order by d.id desc limit ${page.limit}`.execute(queries.sql);
  return rows.map(toDelivery);
}

export async function findDelivery(queries: Queries, reach: Reach, id: string): Promise<DeliveryRecord | undefined> {
  if (!isRowNumber(id)) return undefined;
  const { rows } = await sql<StoredDelivery>`
    select ${COLUMNS} from delivery d where d.id = ${id}::bigint and d.agency_id = ${reach.agencyId}
      and ${deliveryInReach(reach)}`.execute(queries.sql);
  const [row] = rows;
  return row && toDelivery(row);
}

export interface AttemptPlace {
  at: Date;
  deliveryId: string;
  number: number;
}

export interface LoggedAttempt extends AttemptPlace {
  endpointId: string;
  eventId: string;
  class: string;
  status: number | null;
  durationMs: number;
  connectMs: number | null;
  firstByteMs: number | null;
  reusedConnection: boolean;
  isProbe: boolean;
  location: string | null;
  responseExcerpt: string | null;
}

export interface AttemptFilter {
  endpointId: string | null;
  deliveryId: string | null;
  eventId: string | null;
  class: string | null;
  since: Date | null;
  until: Date | null;
}

/** The newest first. */
export async function listAttempts(
  queries: Queries,
  reach: Reach,
  filter: AttemptFilter,
  page: { before: AttemptPlace | null; limit: number },
): Promise<LoggedAttempt[]> {
  const { endpointId, deliveryId, eventId, since, until } = filter;
  const { before, limit } = page;
  const older =
    before === null
      ? sql`true`
      : sql`(t.at, t.delivery_id, t.number) < (${before.at}::timestamptz, ${before.deliveryId}::bigint, ${before.number}::integer)`;
  const isWholeAgency = reach.tenantId === null && reach.sessionId === null;
  const where = sql`(${filter.class}::text is null or t.class = ${filter.class})
    and (${since}::timestamptz is null or t.at >= ${since}::timestamptz)
    and (${until}::timestamptz is null or t.at < ${until}::timestamptz) and ${older}
    and ${isWholeAgency ? sql`true` : sql`exists (select 1 from delivery d where d.id = t.delivery_id and ${deliveryInReach(reach)})`}`;
  const newest = sql`order by t.at desc, t.delivery_id desc, t.number desc limit ${limit}`;
  const found =
    deliveryId === null && eventId === null
      ? sql`endpoint e cross join lateral (select * from delivery_attempt t where t.endpoint_id = e.id and ${where}
          ${newest}) t where ${endpoints(reach, endpointId)}`
      : sql`delivery_attempt t join endpoint e on e.id = t.endpoint_id
          where t.delivery_id in (select d.id from delivery d where d.agency_id = ${reach.agencyId}
              and (${deliveryId}::bigint is null or d.id = ${deliveryId}::bigint)
              and (${eventId}::text is null or d.event_id = ${eventId}))
            and ${endpoints(reach, endpointId)} and ${where}`;
  const { rows } = await sql<Omit<LoggedAttempt, 'at'> & { at: string }>`
    select t.at, t.delivery_id::text as "deliveryId", t.number, t.endpoint_id as "endpointId", t.event_id as "eventId",
      t.class, t.status, t.duration_ms as "durationMs", t.connect_ms as "connectMs", t.first_byte_ms as "firstByteMs",
      t.reused_connection as "reusedConnection", t.probe as "isProbe", t.location, t.response_excerpt as "responseExcerpt"
    from ${found} ${newest}`.execute(queries.sql);
  return rows.map((row) => ({ ...row, at: new Date(row.at) }));
}
