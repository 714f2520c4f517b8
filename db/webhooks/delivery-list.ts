import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { Reach } from '../../domain/scope.ts';
import { DELIVERY_STATUSES } from '../../domain/webhooks/record.ts';
import type { DeliveryStatus } from '../../domain/webhooks/record.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { EventPlace, inReach } from './events/event-list.ts';

/** True when the text can be the number of a row: those are bigints, so no row has a longer number. */
export function isRowNumber(text: string): boolean {
  return /^\d{1,18}$/.test(text);
}

/** The part of an event that lists show: its type, and the conversation that it is about. */
const EventShown = z.object({
  type: z.string(),
  conversation: z
    .object({
      id: z.string(),
      name: z.string().nullable(),
      chatId: z.string(),
      phoneChatId: z.string().nullable(),
    })
    .nullable(),
});

const DeliveryRow = z.object({
  id: z.string(),
  endpointId: z.string(),
  eventId: z.string(),
  tenantId: z.string().nullable(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  nextAttemptAt: Timestamp.nullable(),
  firstAttemptAt: Timestamp.nullable(),
  endedAt: Timestamp.nullable(),
  lastClass: z.string().nullable(),
  lastStatus: z.int().nullable(),
  outOfOrder: z.boolean(),
  isInFlight: z.boolean(),
  eventAt: Timestamp,
  /** Null where the event is no longer kept. */
  event: EventShown.nullable(),
  /** The place of the delivery's event; null where the list is not in the order of events. */
  eventPlace: EventPlace.nullable(),
});
export type DeliveryRecord = z.output<typeof DeliveryRow>;

/**
 * Shows the event of delivery `d`. The inbox takes the name from the same columns. Events keep the id of a conversation
 * that was merged into another, which alone has the person.
 */
const EVENT = sql`(
  select jsonb_build_object('type', s.type, 'conversation', case when c.id is not null then
      jsonb_build_object('id', c.id, 'name', coalesce(nullif(c.name, ''), nullif(l.name, ''), nullif(k.name, ''),
        nullif(k.push_name, '')), 'chatId', c.chat_id,
        'phoneChatId', case when is_phone(k.chat_id) then k.chat_id end) end)
  from event s
  left join conversation o on o.id = s.conversation_id and o.agency_id = s.agency_id
  left join conversation c on c.id = conversation_now(o) and c.agency_id = o.agency_id
  left join contact k on k.id = c.contact_id and k.agency_id = c.agency_id and k.tenant_id = c.tenant_id
  left join session_contact l on l.session_id = c.session_id and l.contact_id = c.contact_id
  where s.id = d.event_id and s.created_at = d.event_created_at)`;

const columnsAt = (now: Date): RawBuilder<unknown> => sql`
  d.id::text as id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.tenant_id as "tenantId",
  d.status, d.attempts,
  case when d.status = 'pending' and is_lane_head(d.endpoint_id, d.lane, d.place, d.out_of_order)
    then attempt_at(d.endpoint_id, d.next_attempt_at, ${now}::timestamptz) end as "nextAttemptAt",
  d.first_attempt_at as "firstAttemptAt", d.done_at as "endedAt", d.last_class as "lastClass",
  d.last_status as "lastStatus", d.out_of_order as "outOfOrder", d.event_created_at as "eventAt", ${EVENT} as event,
  coalesce(d.leased_until > clock_timestamp(), false) as "isInFlight"`;

const PLACE = sql`jsonb_build_object('txid', v.txid::text, 'place', v.place::text)`;

/** The deliveries of a tenant or a session are found through its events, along their index. */
const OF_EVENTS = sql`event v join delivery d on d.event_id = v.id and d.event_created_at = v.created_at`;

/** A condition on `endpoint e`. Deleted endpoints are included, because their deliveries can still be read. */
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

export interface DeliveryPlace {
  id: string;
  event: EventPlace | null;
}

/**
 * Lists deliveries, the newest first. Deliveries of a whole agency are read endpoint by endpoint along an index.
 * Deliveries of a tenant or a session are found by their events, so they are listed only as long as the events are
 * kept.
 */
export async function listDeliveries(
  queries: Queries,
  reach: Reach,
  filter: DeliveryFilter,
  page: { before: DeliveryPlace | null; limit: number },
): Promise<DeliveryRecord[]> {
  const { endpointId, eventId, status, since, until } = filter;
  const { before, limit } = page;
  const where = sql`(${status}::text is null or d.status = ${status})
    and (${since}::timestamptz is null or d.event_created_at >= ${since}::timestamptz)
    and (${until}::timestamptz is null or d.event_created_at < ${until}::timestamptz)`;
  // The expression `d.id + 0` is that of the index of an endpoint's deliveries.
  const older = sql`(${before?.id ?? null}::bigint is null or d.id + 0 < ${before?.id ?? null}::bigint)`;
  const columns = columnsAt(queries.now);
  const asked = isWholeAgency(reach)
    ? eventId === null
      ? sql`select ${columns}, null as "eventPlace" from endpoint e cross join lateral (
            select * from delivery d where d.endpoint_id = e.id and ${where} and ${older}
            order by d.id + 0 desc limit ${limit}) d
          where ${endpoints(reach, endpointId)} order by d.id desc`
      : sql`select ${columns}, null as "eventPlace" from delivery d join endpoint e on e.id = d.endpoint_id
          where d.event_id = ${eventId} and ${endpoints(reach, endpointId)} and ${where} and ${older}
          order by d.id desc`
    : sql`select ${columns}, ${PLACE} as "eventPlace" from ${OF_EVENTS}
        where ${inReach(reach)} and (${eventId}::text is null or v.id = ${eventId})
          and (${endpointId}::text is null or d.endpoint_id = ${endpointId}) and ${where}
          and ${olderEvent(before?.event ?? null, sql`d.id`, sql`${before?.id ?? null}::bigint`)}
        order by v.txid desc, v.place desc, d.id desc`;
  return rows(queries, DeliveryRow)`${asked} limit ${limit}`;
}

function isWholeAgency({ tenantId, sessionId }: Reach): boolean {
  return tenantId === null && sessionId === null;
}

/**
 * A condition on `event v`: it comes before the place, or at the place with `row` before `rest`. The first half of the
 * condition alone lets the index find the place.
 */
function olderEvent(
  place: EventPlace | null,
  row: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (place === null) return sql`true`;
  const at = sql`(${place.txid}::xid8, ${place.place}::bigint)`;
  return sql`(v.txid, v.place) <= ${at} and ((v.txid, v.place) < ${at} or ${row} < ${rest})`;
}

export async function findDelivery(queries: Queries, reach: Reach, id: string): Promise<DeliveryRecord | undefined> {
  if (!isRowNumber(id)) return undefined;
  const { agencyId, tenantId, sessionId } = reach;
  return row(queries, DeliveryRow)`
    select ${columnsAt(queries.now)}, null as "eventPlace" from delivery d
    where d.id = ${id}::bigint and d.agency_id = ${agencyId}
      and (${tenantId}::text is null or d.tenant_id = ${tenantId})
      and (${sessionId}::text is null or exists (select 1 from event v
        where v.id = d.event_id and v.created_at = d.event_created_at and ${inReach(reach)}))`;
}

export interface AttemptPlace {
  at: Date;
  deliveryId: string;
  number: number;
  event: EventPlace | null;
}

const AttemptRow = z.object({
  at: Timestamp,
  deliveryId: z.string(),
  number: z.int(),
  endpointId: z.string(),
  eventId: z.string(),
  class: z.string(),
  status: z.int().nullable(),
  durationMs: z.int(),
  connectMs: z.int().nullable(),
  firstByteMs: z.int().nullable(),
  reusedConnection: z.boolean(),
  isProbe: z.boolean(),
  location: z.string().nullable(),
  responseExcerpt: z.string().nullable(),
  event: EventShown.nullable(),
  eventPlace: EventPlace.nullable(),
});
export type LoggedAttempt = z.output<typeof AttemptRow>;

export interface AttemptFilter {
  endpointId: string | null;
  deliveryId: string | null;
  eventId: string | null;
  class: string | null;
  since: Date | null;
  until: Date | null;
}

const ATTEMPT = sql`t.at, t.delivery_id::text as "deliveryId", t.number, t.endpoint_id as "endpointId",
  t.event_id as "eventId",
  t.class, t.status, t.duration_ms as "durationMs", t.connect_ms as "connectMs", t.first_byte_ms as "firstByteMs",
  t.reused_connection as "reusedConnection", t.probe as "isProbe", t.location, t.response_excerpt as "responseExcerpt",
  (select ${EVENT} from delivery d where d.id = t.delivery_id) as event`;

/** The class of attempt `t`. The index of failures has its condition, so a kept plan can use it, too. */
function ofClass(wanted: string | null): RawBuilder<unknown> {
  if (wanted === null) return sql`true`;
  return wanted === 'delivered' ? sql`t.class = 'delivered'` : sql`t.class = ${wanted} and t.class <> 'delivered'`;
}

/**
 * Lists attempts, the newest first, as {@link listDeliveries} does: those of a tenant or a session in the order of
 * their events. Few failures of a class are found by their index, and many along the events.
 */
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
      : sql`(t.at, t.delivery_id, t.number)
        < (${before.at}::timestamptz, ${before.deliveryId}::bigint, ${before.number}::integer)`;
  const where = sql`${ofClass(filter.class)}
    and (${since}::timestamptz is null or t.at >= ${since}::timestamptz)
    and (${until}::timestamptz is null or t.at < ${until}::timestamptz)`;
  const ofEndpoint =
    filter.class === null
      ? sql`(${endpointId}::text is null or d.endpoint_id = ${endpointId})`
      : sql`t.endpoint_id in (select e.id from endpoint e where ${endpoints(reach, endpointId)})`;
  const newest = sql`order by t.at desc, t.delivery_id desc, t.number desc`;
  const asked = isWholeAgency(reach)
    ? deliveryId === null && eventId === null
      ? sql`select ${ATTEMPT}, null as "eventPlace" from endpoint e cross join lateral (
            select * from delivery_attempt t
            where t.endpoint_id = e.id and ${where} and ${older} ${newest} limit ${limit}) t
          where ${endpoints(reach, endpointId)} ${newest}`
      : sql`select ${ATTEMPT}, null as "eventPlace" from delivery_attempt t join endpoint e on e.id = t.endpoint_id
          where t.delivery_id in (select d.id from delivery d where d.agency_id = ${reach.agencyId}
              and (${deliveryId}::bigint is null or d.id = ${deliveryId}::bigint)
              and (${eventId}::text is null or d.event_id = ${eventId}))
            and ${endpoints(reach, endpointId)} and ${where} and ${older} ${newest}`
    : sql`select ${ATTEMPT}, ${PLACE} as "eventPlace" from ${OF_EVENTS} join delivery_attempt t on t.delivery_id = d.id
        where ${inReach(reach)} and (${eventId}::text is null or v.id = ${eventId})
          and (${deliveryId}::bigint is null or d.id = ${deliveryId}::bigint)
          and ${ofEndpoint} and ${where}
          and ${olderEvent(
            before?.event ?? null,
            sql`(d.id, t.number, t.at)`,
            sql`(${before?.deliveryId ?? null}::bigint, ${before?.number ?? null}::integer,
              ${before?.at ?? null}::timestamptz)`,
          )}
        order by v.txid desc, v.place desc, d.id desc, t.number desc, t.at desc`;
  return rows(queries, AttemptRow)`${asked} limit ${limit}`;
}
