import { sql } from 'kysely';
import { z } from 'zod';
import type { Scope } from '../../domain/scope.ts';
import { NewChats } from '../../domain/sessions/new-chats.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/** A count stops here, so that a long queue costs no more to look at than this. */
export const MAX_WAITING = 10_000;
/** The sends of a session, and the events of a tenant, that are counted for the hours; the newest come first. */
export const MAX_COUNTED_IN_HOURS = 20_000;
/** More sessions of one tenant than anybody looks at on one page. */
const MAX_SESSIONS = 100;

const SessionLoad = z.object({
  sessionId: z.string(),
  name: z.string(),
  status: z.string(),
  isPaced: z.boolean(),
  nextSlotAt: Timestamp.nullable(),
  quietUntil: Timestamp.nullable(),
  restrictedUntil: Timestamp.nullable(),
  firstContactLimit: z.int(),
  firstContacts: z.int(),
  firstContactsResetAt: Timestamp,
  newChats: NewChats.nullable().catch(null),
  queued: z.int(),
  oldestQueuedAt: Timestamp.nullable(),
  scheduled: z.int(),
  uncertain: z.int(),
});
export type SessionLoad = z.output<typeof SessionLoad>;

/** Reads what waits in each session of the scope, and what its pace still lets go, in one statement. */
export async function readSessionLoads(queries: Queries, scope: Scope): Promise<SessionLoad[]> {
  const own = scope.sessionId === null ? sql`` : sql`and id = ${scope.sessionId}`;
  return rows(queries, SessionLoad)`
    select s.id as "sessionId", s.name, s.status, p.paced as "isPaced",
      case when p.next_slot_at > ${queries.now}::timestamptz then p.next_slot_at end as "nextSlotAt",
      p.quiet_until as "quietUntil",
      case when p.restricted_until > ${queries.now}::timestamptz then p.restricted_until end as "restrictedUntil",
      p.first_contact_limit as "firstContactLimit", p.first_contacts as "firstContacts",
      p.tomorrow as "firstContactsResetAt",
      (select w.new_chats from session_pace w where w.session_id = s.id) as "newChats",
      q.queued, q.oldest as "oldestQueuedAt",
      (select count(*)::int from (select 1 from message m where m.session_id = s.id and m.status = 'scheduled'
        limit ${MAX_WAITING}) counted) as scheduled,
      (select count(*)::int from (select 1 from message m where m.session_id = s.id and m.status = 'uncertain'
        limit ${MAX_WAITING}) counted) as uncertain
    from (select id, name, status from session
      where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and wish <> 'deleted' ${own}
      order by id limit ${MAX_SESSIONS}) s
    cross join lateral pace_of(s.id, ${queries.now}::timestamptz) p
    cross join lateral (select count(*)::int as queued, min(m.created_at) as oldest from (
      select created_at from message where session_id = s.id and status in ('queued', 'sending')
      limit ${MAX_WAITING}) m) q
    order by s.id`;
}

const Hour = z.object({ at: Timestamp, count: z.int() });
type Hour = z.output<typeof Hour>;
const Hours = z.object({ hours: z.array(Hour), counted: z.int() });

/** The hours `h` as the list that {@link Hours} reads. */
const HOURS = sql`coalesce(jsonb_agg(jsonb_build_object('at', h.at, 'count', h.count) order by h.at), '[]')`;

interface Counted {
  hours: Hour[];
  /** False when there were more than are counted, so that the earliest hours say too little. */
  isComplete: boolean;
}

const complete = (found: z.output<typeof Hours> | undefined, most: number): Counted => ({
  hours: found?.hours ?? [],
  isComplete: (found?.counted ?? 0) < most,
});

/** Counts what the session has handed to the network, by the hour; along `message_sent`. */
export async function countSent(queries: Queries, sessionId: string, since: Date): Promise<Counted> {
  const found = await row(queries, Hours)`
    with sent as materialized (
      select sent_at as at from message
      where session_id = ${sessionId} and direction = 'out' and network_id is not null and sent_at >= ${since}
      order by sent_at desc limit ${MAX_COUNTED_IN_HOURS})
    select (select ${HOURS} from (select date_trunc('hour', at) as at, count(*)::int as count
        from sent group by 1) h) as hours, (select count(*)::int from sent) as counted`;
  return complete(found, MAX_COUNTED_IN_HOURS);
}

/**
 * Counts the messages that contacts wrote, by the hour: their events, which are in the order of their commits and in
 * partitions by time. Tests of endpoints are no messages.
 */
export async function countReceived(queries: Queries, scope: Scope, since: Date): Promise<Counted> {
  const own = scope.sessionId === null ? sql`` : sql`and session_id = ${scope.sessionId}`;
  const found = await row(queries, Hours)`
    with newest as materialized (
      select created_at as at, type, session_id, trial_of from event
      where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and created_at >= ${since}
      order by txid desc limit ${MAX_COUNTED_IN_HOURS}),
    received as (select at from newest where type = 'message' and trial_of is null ${own})
    select (select ${HOURS} from (select date_trunc('hour', at) as at, count(*)::int as count
        from received group by 1) h) as hours, (select count(*)::int from newest) as counted`;
  return complete(found, MAX_COUNTED_IN_HOURS);
}

const HeardHour = z.object({ at: Timestamp, count: z.int(), p50Ms: z.number(), p95Ms: z.number() });
const HeardHours = z.object({ hours: z.array(HeardHour), counted: z.int() });
export type HeardHour = z.output<typeof HeardHour>;

/**
 * Counts the deliveries of a tenant's events to webhook endpoints, by the hour of the event, with how long it took
 * until the receiver had answered: half of them within `p50Ms`, 95 of 100 within `p95Ms`. Tests of endpoints do not
 * count.
 */
export async function countHeard(
  queries: Queries,
  scope: Scope,
  since: Date,
): Promise<{ hours: HeardHour[]; isComplete: boolean }> {
  const own = scope.sessionId === null ? sql`` : sql`and n.session_id = ${scope.sessionId}`;
  const found = await row(queries, HeardHours)`
    with newest as materialized (
      select id, created_at, session_id, trial_of from event
      where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and created_at >= ${since}
      order by txid desc limit ${MAX_COUNTED_IN_HOURS}),
    heard as (
      select date_trunc('hour', n.created_at) as at,
        greatest(extract(epoch from d.done_at - n.created_at) * 1000, 0)::float8 as ms
      from newest n join delivery d on d.event_id = n.id and d.event_created_at = n.created_at
      where d.status = 'delivered' and n.trial_of is null ${own}),
    by_hour as (
      select at, count(*)::int as count, round(percentile_cont(0.5) within group (order by ms)) as "p50Ms",
        round(percentile_cont(0.95) within group (order by ms)) as "p95Ms"
      from heard group by at)
    select (select coalesce(jsonb_agg(to_jsonb(h) order by h.at), '[]') from by_hour h) as hours,
      (select count(*)::int from newest) as counted`;
  return { hours: found?.hours ?? [], isComplete: (found?.counted ?? 0) < MAX_COUNTED_IN_HOURS };
}
