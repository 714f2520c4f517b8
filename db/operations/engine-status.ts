import { Kysely, PostgresDialect, sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { Pool } from 'pg';
import { EngineWork } from '../../domain/operations/engine-work.ts';
import { HELD_BY_ROLL_OUT } from '../dispatch.ts';
import { countToBeSupervised } from '../reconcile.ts';
import { readRepairState } from '../repair.ts';
import type { RepairState } from '../repair.ts';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { FORMER_WAKEUPS, WAKEUPS } from '../engine/notifications.ts';
import { listTroubledEndpoints } from './troubled-endpoints.ts';
import type { TroubledEndpoint } from './troubled-endpoints.ts';
import { listUnreadablePeppers } from '../personal-data/erased-pepper.ts';
import { SecretBox } from '../engine/secret-box.ts';
import { listUnfitRows } from './unfit-rows.ts';
import type { UnfitRow } from './unfit-rows.ts';

/** More than this is shown as "more than": whoever asks wants to know whether it is much, not the last digit. */
export const MAX_COUNTED = 100_000;
/** Whoever asks mends these first. */
const MAX_NAMED_SESSIONS = 5;
/** Each of these conversations is looked at, so few are counted. */
const MAX_OWED_TO_PEOPLE = 1_000;
/** A larger number tells an operator nothing more, and each scrape would read it. */
const MAX_MISSING = 1_000;
const ANSWER_WITHIN_MS = 10_000;
/** They tell how long a receiver takes, however many there are in a minute. */
const MAX_ATTEMPTS_READ = 200;
/** An engine that is too slow posts less of the time. */
const BUSY_SHARE = 0.25;
/** An account that takes as long for a call holds its other sends itself. */
const SLOW_CALL_S = 10;
/** An account that has sent something within this time sends as fast as it may. */
const GOES_WITHIN_S = 60;

export type EngineStatus = EngineWork & {
  /** The sessions that should have an open execution in Temporal. */
  supervisedSessions: number;
  /** The first endpoints that fail or are disabled. */
  troubledEndpoints: TroubledEndpoint[];
  repairs: RepairState;
  /** Stored configuration that this release cannot read as a whole. */
  unfitRows: UnfitRow[];
  /** The tenants whose record of erased addresses no key opens; none where the keys are not known. */
  unreadablePeppers: string[];
};

/** The encryption keys of the engine. */
interface Keys {
  current: string;
  previous: string | undefined;
}

/**
 * Reads how everything is, over all tenants, for an operator. It opens one connection of its own, so that it works
 * where nothing else of the engine runs.
 */
export async function readEngineStatus(url: string, keys: Keys | null = null): Promise<EngineStatus> {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: 'engine-status',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    statement_timeout: ANSWER_WITHIN_MS,
    options: '-c timezone=UTC',
  });
  const connected = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const queries = { sql: connected, now: new Date() };
    return {
      ...(await readEngineWork(queries)),
      supervisedSessions: await countToBeSupervised(queries),
      troubledEndpoints: await listTroubledEndpoints(queries),
      repairs: await readRepairState(queries),
      unfitRows: await listUnfitRows(queries),
      unreadablePeppers:
        keys === null ? [] : await listUnreadablePeppers(queries, new SecretBox(keys.current, keys.previous)),
    };
  } finally {
    await connected.destroy();
  }
}

/**
 * Reads how the work of all tenants stands. Potentially large numbers are counted up to {@link MAX_COUNTED}. The time
 * is the statement's: a bound by `clock_timestamp()` keeps an index from being used.
 */
export async function readEngineWork(queries: Pick<Queries, 'sql'>): Promise<EngineWork> {
  return one(queries, EngineWork)`
    with queued as materialized (
        select created_at, session_id, conversation_id, held_by, held_until, scheduled_at, ready_at, released_at,
          lane, bulk, attempts, lane = 0 and origin = 'person' as is_of_people,
          -- As a column, because the planner takes attempts = 0 for rare, and then joins row by row.
          attempts = 0 as is_untried,
          media is null and coalesce(content ? 'attachment', false) as is_fetched,
          released_at is null and coalesce(held_until > statement_timestamp(), false) as is_held
        from message where status = 'queued' order by expires_at limit ${MAX_COUNTED + 1}),
      -- Pace and quiet hours hold a whole session, and are noted of the first message in its queue alone.
      held_session as (
        select session_id from queued where is_held and held_by in ('pace', 'quiet_hours')),
      sender as (
        select s.id, s.status, is_suspended(a.status) as is_suspended, is_working(s.status) as is_working,
          greatest(s.status_changed_at, a.activated_at) as works_since, p.next_slot_at,
          b.trouble is not null as is_away,
          s.id in (select session_id from held_session) as is_held
        from session s join agency a on a.id = s.agency_id left join backend b on b.id = s.backend
          left join session_pace p on p.session_id = s.id
        where s.id in (select session_id from queued)),
      waiting as (
        select s.id, s.status, case
          when s.is_suspended then 'suspended'
          when not s.is_working then 'session'
          when q.is_held and q.held_by = 'restricted' then 'restricted'
          when q.is_held or s.is_held then 'pace'
          when s.is_away then 'backend'
        end as hold from queued q join sender s on s.id = q.session_id),
      -- The pause between two sends of a session ends with its slot, and only then does a message wait for the engine.
      -- Replies have a lane of their own, which goes on while pace holds the other.
      last_slot as (
        select session_id, lane, max(held_until) as at, bool_or(is_held) as is_held from queued
        where held_by in ('pace', 'quiet_hours') group by session_id, lane),
      held_chat as (select distinct conversation_id, lane from queued where is_held),
      -- A chat has one message on its way, which may take minutes to settle. One that came back waits in its lane.
      busy_chat as (
        select conversation_id, null as lane from message where status = 'sending' union
        select conversation_id, case when released_at is null then lane end from queued where attempts > 0),
      released_chat as materialized (select distinct conversation_id from queued where released_at is not null),
      -- The calls of a session may fill its cap (has_room_for_send), and its other sends wait for one to end.
      full_session as materialized (
        select f.session_id, max(m.claimed_at) as claimed_at,
          min(m.claimed_at) < statement_timestamp() - ${SLOW_CALL_S} * interval '1 second' as is_slow
        from (select session_id from message where status = 'sending' group by session_id
            having count(*) >= (select sends_per_session from pace_default where one)) f
          cross join lateral sends_in_flight(f.session_id, statement_timestamp()) s join message m on m.id = s.id
        where s.claim_owner is null or owner_lives(s.claim_owner)
        group by f.session_id having count(*) >= (select sends_per_session from pace_default where one)),
      -- The releaser lets no more heads go than the account sends, and beside other agencies one at a time. It notes so
      -- of the first head of a lane, and of no reply.
      own_queue as materialized (
        select session_id, lane, is_of_people from queued
        where released_at is null and held_by = 'queue' and not bulk
        union
        select r.session_id, r.lane, r.is_of_people from (
          select distinct session_id, lane, is_of_people from queued
          where lane = 0 and released_at is null and ready_at is not null) r
          left join session_pace p on p.session_id = r.session_id
        where p.next_start_at > statement_timestamp() - ${GOES_WITHIN_S} * interval '1 second'
          or on_their_way_limit() <= case when r.is_of_people
            then replies_of_people(r.session_id, statement_timestamp())
            else replies_on_their_way(r.session_id, statement_timestamp()) end),
      last_send as materialized (
        select o.session_id, o.lane, o.is_of_people, m.sent_at as at,
          m.sent_at > statement_timestamp() - ${GOES_WITHIN_S} * interval '1 second' as is_going
        from own_queue o cross join lateral (
          select m.sent_at from message m
          where m.session_id = o.session_id and m.direction = 'out' and m.network_id is not null
            and m.sent_at > statement_timestamp() - interval '1 hour' and m.released_at is not null
          order by m.sent_at desc limit 1) m),
      untried as (
        -- A released message has had its slot. One that is neither released nor ready is behind another of its chat,
        -- or the reconcile promotes it.
        select greatest(q.created_at, q.scheduled_at, q.held_until, q.ready_at, q.released_at, s.works_since, l.at,
          f.claimed_at, w.at, case when q.lane <> 0 and q.released_at is null then s.next_slot_at end) as since
        from queued q join sender s on s.id = q.session_id
          left join last_slot l on l.session_id = q.session_id and l.lane = q.lane
          left join full_session f on f.session_id = q.session_id
          left join last_send w on w.session_id = q.session_id and w.lane = q.lane and w.is_of_people = q.is_of_people
            and q.released_at is null
        where q.is_untried and not q.bulk and not q.is_fetched
          and coalesce(q.released_at, q.ready_at) is not null
          and s.is_working and not s.is_suspended and not s.is_away and l.is_held is not true
          and f.is_slow is not true and w.is_going is not true
          and not exists (select from released_chat r
            where r.conversation_id = q.conversation_id and q.released_at is null)
          and not exists (select from held_chat h where h.conversation_id = q.conversation_id and h.lane = q.lane)
          and not exists (select from busy_chat b
            where b.conversation_id = q.conversation_id and coalesce(b.lane, q.lane) = q.lane)),
      pending as materialized (
        select event_created_at, endpoint_id, lane, place, out_of_order, attempts, attempts = 0 as is_untried,
          next_attempt_at from delivery
        where status = 'pending' order by event_created_at limit ${MAX_COUNTED + 1}),
      -- A lane waits for its head, so what is behind an attempt that failed waits for the receiver.
      tried_lane as (select distinct endpoint_id, lane from pending where attempts > 0 and not out_of_order),
      head_delivery as (
        (select distinct on (endpoint_id, lane) * from pending where not out_of_order
          order by endpoint_id, lane, place)
        union all select * from pending where out_of_order),
      untried_head as materialized (
        select p.endpoint_id,
          least(case e.ordering when 'fifo' then 1 else e.concurrency end, h.concurrency) as room,
          greatest(p.next_attempt_at, e.status_at, h.recovered_at, h.throttled_until, a.activated_at) as since
        from head_delivery p join endpoint e on e.id = p.endpoint_id join endpoint_health h on h.endpoint_id = e.id
          join agency a on a.id = e.agency_id
        where p.is_untried and p.next_attempt_at <= statement_timestamp() and e.deleted_at is null
          and e.status = 'active' and e.rate_per_second is null and not is_suspended(a.status)
          and h.breaker = 'closed' and h.failing_since is null and h.last_error is null
          and coalesce(h.throttled_until <= statement_timestamp(), true)
          and (p.out_of_order or not exists (select from tried_lane t
            where t.endpoint_id = p.endpoint_id and t.lane = p.lane))),
      -- Events in line at a receiver that answers slowly wait for the receiver. Its posts then take much of the
      -- time, in as many lanes as wait and may go at once.
      busy_receiver as (
        select u.endpoint_id, a.at from (
          select endpoint_id, least(room, count(*)) as lanes from untried_head group by endpoint_id, room) u
          cross join lateral (
            select max(at) as at, sum(duration_ms) as posting_ms,
              extract(epoch from statement_timestamp() - min(at)) * 1000 as span_ms
            from (select at, duration_ms from delivery_attempt
              where endpoint_id = u.endpoint_id and at > statement_timestamp() - interval '1 minute'
              order by at desc limit ${MAX_ATTEMPTS_READ}) latest) a
        where a.posting_ms > a.span_ms * u.lanes * ${BUSY_SHARE}::float8),
      untried_delivery as (
        select greatest(u.since, b.at) as since from untried_head u
          left join busy_receiver b on b.endpoint_id = u.endpoint_id),
      owed as materialized (
        select coalesce(m.owed_from, m.created_at) as since from message m join agency a on a.id = m.agency_id
        where m.awaits_turn and not is_suspended(a.status) and not waits_for_model(m, now()) limit ${MAX_COUNTED + 1}),
      owed_to_people as materialized (
        select waiting_since(c.id) as since from conversation c join agency a on a.id = c.agency_id
        where is_owed_to_people(c, now()) and not is_suspended(a.status) limit ${MAX_OWED_TO_PEOPLE}),
      promised as materialized (
        -- A promise for later waits since its time, as does one that a roll-out holds; one that was tried has waited
        -- all along.
        select case when attempts = 0 or last_error = ${HELD_BY_ROLL_OUT} then greatest(created_at, not_before)
          else created_at end as since
        from dispatch where parked_at is null and not_before <= statement_timestamp() limit ${MAX_COUNTED + 1})
    select current_setting('server_version') as "databaseVersion",
      pg_database_size(current_database())::float8 as "databaseBytes",
      (select count(*)::int from pg_stat_activity where datname = current_database()
        and application_name in (${WAKEUPS}, ${FORMER_WAKEUPS})) as processes,
      (select count(*)::int from delivery_worker where leased_until > statement_timestamp()) as workers,
      (select count(*)::int from delivery_shard where owner is null or not is_live_worker(owner))
        as "shardsWithoutOwner",
      (select coalesce(jsonb_object_agg(status, n), '{}')
        from (select status, count(*) as n from session where wish <> 'deleted' group by status) s) as sessions,
      (select count(*)::int from session s join session_pace p on p.session_id = s.id
        where s.wish <> 'deleted' and p.restricted_until > statement_timestamp()) as "restrictedSessions",
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from statement_timestamp() - min(created_at))) from queued) as queued,
      (select coalesce(jsonb_object_agg(hold, n), '{}')
        from (select hold, count(*) as n from waiting where hold is not null group by hold) h) as holds,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'status', status, 'queued', n) order by n desc, id), '[]')
        from (select id, status, count(*) as n from waiting where hold = 'session'
          group by id, status order by n desc, id limit ${MAX_NAMED_SESSIONS}) s) as "stoppedSessions",
      ${waitOf(sql`untried`)} as "untriedMessages",
      (select count(*)::int from agency where status = 'suspended') as "suspendedDashboards",
      (select count(*)::int from message where status = 'sending') as sending,
      (select count(*)::int from (select from message where status = 'scheduled' limit ${MAX_COUNTED + 1}) m)
        as scheduled,
      (select count(*)::int from message
        where status = 'uncertain' and ended_at > statement_timestamp() - interval '72 hours') as uncertain,
      (select coalesce(jsonb_object_agg(status, n), '{}')
        from (select status, count(*) as n from endpoint where deleted_at is null group by status) e) as endpoints,
      (select count(*)::int from endpoint e join endpoint_health h on h.endpoint_id = e.id
        where e.deleted_at is null and e.status = 'active' and h.failing_since is not null) as "failingEndpoints",
      (select count(*)::int from endpoint e join endpoint_health h on h.endpoint_id = e.id
        where e.deleted_at is null and e.status = 'active' and h.last_error = 'secret_unreadable')
        as "unreadableSecrets",
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from statement_timestamp() - min(event_created_at))) from pending) as "pendingDeliveries",
      ${waitOf(sql`untried_delivery`)} as "untriedDeliveries",
      ${waitOf(sql`(select received_at as since from backend_event
        where applied_at is null and parked_at is null and attempts = 0 limit ${MAX_COUNTED + 1}) unapplied`)}
        as "unappliedEvents",
      ${waitOf(sql`owed`)} as owed,
      ${waitOf(sql`owed_to_people`)} as "owedToPeople",
      (select coalesce(jsonb_agg(jsonb_build_object('outcome', outcome, 'silence', silence_code, 'count', n)
          order by n desc, outcome, silence_code), '[]')
        from (select outcome, silence_code, count(*) as n
          from ai_turn where outcome <> 'running' and ended_at > statement_timestamp() - interval '1 hour'
          group by 1, 2) t) as turns,
      -- Content that a history lacks was never awaited. The agent cannot have read what it answered.
      (select count(*)::int from (select from message m
        where m.direction = 'in' and m.content->>'contentState' = 'missing' and m.origin <> 'history'
          and m.revoked_at is null and m.waived_at is null and m.created_at > statement_timestamp() - interval '1 day'
          and not exists (select from message r where r.conversation_id = m.conversation_id and r.direction = 'out'
            and r.origin in ('person', 'phone') and r.occurred_at > m.occurred_at)
        limit ${MAX_MISSING}) missing) as "missingContents",
      ${waitOf(sql`promised`)} as promises,
      (select count(*)::int from (select from backend_event
        where applied_at is null and parked_at is null and attempts > 0
        limit ${MAX_COUNTED + 1}) f) as "failingEvents"`;
}

/** Counts what waits, and says since when by its column `since`. */
function waitOf(waiting: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select jsonb_build_object('count', count(*), 'oldestSeconds',
    case when count(*) > 0 then greatest(extract(epoch from statement_timestamp() - min(since)), 0) end)
    from ${waiting})`;
}
