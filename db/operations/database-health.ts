import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { z } from 'zod';
import { MIGRATION_NAMES } from '../engine/migration-names.ts';
import { one, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { listTroubledEndpoints } from './troubled-endpoints.ts';
import type { TroubledEndpoint } from './troubled-endpoints.ts';
import { listWideCredentials } from './wide-credentials.ts';
import type { WideCredential } from './wide-credentials.ts';

const ANSWER_WITHIN_MS = 10_000;
/** At most this many sessions are named; the counts of `engine status` tell how many there are. */
const NAMED = 10;
/** A table is vacuumed long before it has so many rows that nobody sees. */
const DEAD_ROWS = 100_000;

/** The pool is one of its own, which parses times. */
const At = z.date();

const ServerRow = z.object({
  connections: z.int(),
  maxConnections: z.int(),
  /** The lead of the server's clock over this machine's, at most a round trip too high. */
  clock: At,
  isDurable: z.boolean(),
  hasAutovacuum: z.boolean(),
  /** 2^31 transactions after the oldest unfrozen one the server stops. */
  transactionAge: z.number(),
  oldestTransactionSeconds: z.number().nullable(),
  deadTables: z.array(z.string()),
  slots: z.array(z.object({ name: z.string(), isActive: z.boolean(), keptBytes: z.number() })),
  isArchivingFailing: z.boolean(),
  isMigrated: z.boolean(),
  role: z.string(),
  /** True where the role may do everything: read files of the server and run programs there. */
  isSuperuser: z.boolean(),
});

const WalRow = z.object({ walBytes: z.number(), maxWalBytes: z.number() });
const NameRow = z.object({ name: z.string() });

const TroubledSession = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  status: z.string(),
  lastError: z.string().nullable(),
  isSilent: z.boolean(),
  /** Until when the network allows the account no new conversations; null for an account that it does not restrict. */
  restrictedUntil: At.nullable(),
  since: At,
});
export type TroubledSession = z.output<typeof TroubledSession>;

/** The state of automation runs, over all tenants. */
const AutomationsRow = z.object({
  running: z.int(),
  /** Runs that should have resumed long ago. */
  overdue: z.int(),
  failedLately: z.int(),
});

const BackendRow = z.object({ backend: z.string(), sessions: z.int(), working: z.int() });

/** The needs of a database that no other number of the engine reports to an operator. */
export type DatabaseHealth = Omit<z.output<typeof ServerRow>, 'isMigrated' | 'clock'> & {
  clockAheadMs: number;
  /** Null where the role may not read it. */
  wal: z.output<typeof WalRow> | null;
  missingMigrations: string[];
  sessions: TroubledSession[];
  endpoints: TroubledEndpoint[];
  automations: z.output<typeof AutomationsRow>;
  /** Sessions by backend. */
  backends: z.output<typeof BackendRow>[];
  /** Keys and console links that hold more than their makers. */
  wideCredentials: WideCredential[];
};

/** Reads the health of the database over all tenants, for an operator, on a connection of its own. */
export async function readDatabaseHealth(url: string): Promise<DatabaseHealth> {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: 'engine-doctor',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    statement_timeout: ANSWER_WITHIN_MS,
    options: '-c timezone=UTC',
  });
  const sql = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await readHealth({ sql });
  } finally {
    await sql.destroy();
  }
}

async function readHealth(queries: Pick<Queries, 'sql'>): Promise<DatabaseHealth> {
  const asked = Date.now();
  const { isMigrated, clock, ...server } = await readServer(queries);
  const clockAheadMs = clock.getTime() - (asked + Date.now()) / 2;
  const wal = await readWal(queries).catch(() => null);
  const missingMigrations = await readMissing(queries, isMigrated);
  // A schema of before may lack a column that is read below.
  const isWhole = missingMigrations.length === 0;
  return {
    ...server,
    clockAheadMs,
    wal,
    missingMigrations,
    sessions: isWhole ? await listTroubledSessions(queries) : [],
    endpoints: isWhole ? await listTroubledEndpoints(queries) : [],
    automations: isWhole ? await readAutomations(queries) : { running: 0, overdue: 0, failedLately: 0 },
    backends: isWhole ? await countByBackend(queries) : [],
    wideCredentials: isWhole ? await listWideCredentials(queries) : [],
  };
}

async function readServer(queries: Pick<Queries, 'sql'>): Promise<z.output<typeof ServerRow>> {
  return one(queries, ServerRow)`
    select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as "maxConnections", clock_timestamp() as clock,
      current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on' as "isDurable",
      current_setting('autovacuum') = 'on' as "hasAutovacuum",
      (select age(datfrozenxid)::float8 from pg_database where datname = current_database()) as "transactionAge",
      (select extract(epoch from clock_timestamp() - min(xact_start))::float8 from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend') as "oldestTransactionSeconds",
      (select coalesce(jsonb_agg(relname order by n_dead_tup desc), '[]') from pg_stat_user_tables
        where n_dead_tup > ${DEAD_ROWS} and n_dead_tup > n_live_tup) as "deadTables",
      (select coalesce(jsonb_agg(jsonb_build_object('name', slot_name, 'isActive', active, 'keptBytes',
          coalesce(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
            else pg_current_wal_lsn() end, restart_lsn), 0))), '[]') from pg_replication_slots) as slots,
      (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver)
        as "isArchivingFailing",
      current_user::text as role,
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      to_regclass('mikro_orm_migrations') is not null as "isMigrated"`;
}

/** Only monitors may list the WAL. */
async function readWal(queries: Pick<Queries, 'sql'>): Promise<z.output<typeof WalRow>> {
  return one(queries, WalRow)`
    select (select coalesce(sum(size), 0)::float8 from pg_ls_waldir()) as "walBytes",
      pg_size_bytes(current_setting('max_wal_size'))::float8 as "maxWalBytes"`;
}

/** The migrations of this release that the database lacks. */
async function readMissing(queries: Pick<Queries, 'sql'>, isMigrated: boolean): Promise<string[]> {
  const applied = isMigrated ? await rows(queries, NameRow)`select name from mikro_orm_migrations` : [];
  const known = new Set(applied.map(({ name }) => name));
  return MIGRATION_NAMES.filter((name) => !known.has(name));
}

async function listTroubledSessions(queries: Pick<Queries, 'sql'>): Promise<TroubledSession[]> {
  return rows(queries, TroubledSession)`
    select id, agency_id as "agencyId", tenant_id as "tenantId", status, last_error as "lastError",
      silent_since is not null as "isSilent", coalesce(silent_since, status_changed_at) as since,
      case when p.restricted_until > clock_timestamp() then p.restricted_until end as "restrictedUntil"
    from session left join session_pace p on p.session_id = id
    where wish = 'running'
      and (status <> 'WORKING' or silent_since is not null or p.restricted_until > clock_timestamp())
    order by status_changed_at limit ${NAMED}`;
}

async function countByBackend(queries: Pick<Queries, 'sql'>): Promise<z.output<typeof BackendRow>[]> {
  return rows(queries, BackendRow)`
    select backend, count(*)::int as sessions, count(*) filter (where status = 'WORKING')::int as working
    from session where wish <> 'deleted' group by backend`;
}

async function readAutomations(queries: Pick<Queries, 'sql'>): Promise<z.output<typeof AutomationsRow>> {
  return one(queries, AutomationsRow)`
    select (select count(*)::int from automation_execution where status = 'running') as running,
      (select count(*)::int from automation_execution
        where status = 'running' and waits_until < now() - interval '15 minutes') as overdue,
      (select count(*)::int from automation_execution
        where status = 'failed' and ended_at > now() - interval '1 hour') as "failedLately"`;
}
