import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { EngineWork } from '../../domain/operations/engine-work.ts';
import { countToBeSupervised } from '../reconcile.ts';
import { readRepairState } from '../repair.ts';
import type { RepairState } from '../repair.ts';
import { one } from '../rows.ts';
import type { Queries } from '../tx.ts';
import { FORMER_WAKEUPS, WAKEUPS } from '../wakeups.ts';
import { listTroubledEndpoints } from './troubled-endpoints.ts';
import type { TroubledEndpoint } from './troubled-endpoints.ts';
import { listUnreadablePeppers } from '../personal-data/erased-pepper.ts';
import { SecretBox } from '../secret-box.ts';
import { listUnfitRows } from './unfit-rows.ts';
import type { UnfitRow } from './unfit-rows.ts';

/** More than this is shown as "more than": whoever asks wants to know whether it is much, not the last digit. */
export const MAX_COUNTED = 100_000;
/** Whoever asks mends these first. */
const MAX_NAMED_SESSIONS = 5;
/** Each of these conversations is looked at, so few are counted. */
const MAX_OWED_TO_PEOPLE = 1_000;
const ANSWER_WITHIN_MS = 10_000;

export type EngineStatus = EngineWork & {
  /** The sessions that should have an open execution in Temporal. */
  supervisedSessions: number;
  /** Those that fail or are disabled, the first of them. */
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
  const sql = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const queries = { sql, now: new Date() };
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
    await sql.destroy();
  }
}

/** Reads how the work of all tenants stands. What there may be much of is counted up to {@link MAX_COUNTED}. */
export async function readEngineWork(queries: Pick<Queries, 'sql'>): Promise<EngineWork> {
  return one(queries, EngineWork)`
    with queued as materialized (
        select created_at, session_id, held_by,
          released_at is null and coalesce(held_until > clock_timestamp(), false) as is_held
        from message where status = 'queued' order by expires_at limit ${MAX_COUNTED + 1}),
      -- Pace and quiet hours hold a whole session, and are noted of the first message in its queue alone.
      held_session as (
        select session_id from queued where is_held and held_by in ('pace', 'quiet_hours')),
      sender as (
        select s.id, s.status, is_suspended(a.status) as is_suspended, is_working(s.status) as is_working,
          b.trouble is not null as is_away, s.id in (select session_id from held_session) as is_held
        from session s join agency a on a.id = s.agency_id left join backend b on b.id = s.backend
        where s.id in (select session_id from queued)),
      waiting as (
        select s.id, s.status, case
          when s.is_suspended then 'suspended'
          when not s.is_working then 'session'
          when q.is_held and q.held_by = 'restricted' then 'restricted'
          when q.is_held or s.is_held then 'pace'
          when s.is_away then 'backend'
        end as hold from queued q join sender s on s.id = q.session_id),
      pending as materialized (
        select event_created_at from delivery where status = 'pending'
        order by event_created_at limit ${MAX_COUNTED + 1}),
      owed as materialized (
        select coalesce(m.owed_from, m.created_at) as since from message m join agency a on a.id = m.agency_id
        where m.awaits_turn and not is_suspended(a.status) and not waits_for_model(m, now()) limit ${MAX_COUNTED + 1}),
      owed_to_people as materialized (
        select waiting_since(c.id) as since from conversation c join agency a on a.id = c.agency_id
        where is_owed_to_people(c, now()) and not is_suspended(a.status) limit ${MAX_OWED_TO_PEOPLE}),
      promised as materialized (
        select created_at from dispatch where parked_at is null and not_before <= clock_timestamp()
        limit ${MAX_COUNTED + 1})
    select current_setting('server_version') as "databaseVersion",
      pg_database_size(current_database())::float8 as "databaseBytes",
      (select count(*)::int from pg_stat_activity where datname = current_database()
        and application_name in (${WAKEUPS}, ${FORMER_WAKEUPS})) as processes,
      (select count(*)::int from delivery_worker where leased_until > clock_timestamp()) as workers,
      (select count(*)::int from delivery_shard where owner is null or not is_live_worker(owner))
        as "shardsWithoutOwner",
      (select coalesce(jsonb_object_agg(status, n), '{}')
        from (select status, count(*) as n from session where wish <> 'deleted' group by status) s) as sessions,
      (select count(*)::int from session s join session_pace p on p.session_id = s.id
        where s.wish <> 'deleted' and p.restricted_until > clock_timestamp()) as "restrictedSessions",
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from clock_timestamp() - min(created_at))) from queued) as queued,
      (select coalesce(jsonb_object_agg(hold, n), '{}')
        from (select hold, count(*) as n from waiting where hold is not null group by hold) h) as holds,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'status', status, 'queued', n) order by n desc, id), '[]')
        from (select id, status, count(*) as n from waiting where hold = 'session'
          group by id, status order by n desc, id limit ${MAX_NAMED_SESSIONS}) s) as "stoppedSessions",
      (select count(*)::int from agency where status = 'suspended') as "suspendedDashboards",
      (select count(*)::int from message where status = 'sending') as sending,
      (select count(*)::int from (select from message where status = 'scheduled' limit ${MAX_COUNTED + 1}) m)
        as scheduled,
      (select count(*)::int from message
        where status = 'uncertain' and ended_at > clock_timestamp() - interval '72 hours') as uncertain,
      (select coalesce(jsonb_object_agg(status, n), '{}')
        from (select status, count(*) as n from endpoint where deleted_at is null group by status) e) as endpoints,
      (select count(*)::int from endpoint e join endpoint_health h on h.endpoint_id = e.id
        where e.deleted_at is null and e.status = 'active' and h.failing_since is not null) as "failingEndpoints",
      (select count(*)::int from endpoint e join endpoint_health h on h.endpoint_id = e.id
        where e.deleted_at is null and e.status = 'active' and h.last_error = 'secret_unreadable')
        as "unreadableSecrets",
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from clock_timestamp() - min(event_created_at))) from pending) as "pendingDeliveries",
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from clock_timestamp() - min(since))) from owed) as owed,
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from clock_timestamp() - min(since))) from owed_to_people) as "owedToPeople",
      (select coalesce(jsonb_agg(jsonb_build_object('outcome', outcome, 'silence', silence_code, 'count', n)
          order by n desc, outcome, silence_code), '[]')
        from (select outcome, silence_code, count(*) as n
          from ai_turn where outcome <> 'running' and ended_at > clock_timestamp() - interval '1 hour'
          group by 1, 2) t) as turns,
      (select jsonb_build_object('count', count(*), 'oldestSeconds',
        extract(epoch from clock_timestamp() - min(created_at))) from promised) as promises,
      (select count(*)::int from (select from backend_event
        where applied_at is null and parked_at is null and attempts > 0
        limit ${MAX_COUNTED + 1}) f) as "failingEvents"`;
}
