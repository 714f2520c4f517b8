import type { DatabaseHealth } from '../../../db/operations/database-health.ts';
import { ok, problem, warning } from './finding.ts';
import type { Finding } from './finding.ts';

/** The server stops at 2^31, and vacuums by force from 200 million on. */
const TRANSACTION_AGE = { warning: 500_000_000, problem: 1_500_000_000 };
const CONNECTIONS_USED = 0.85;
/** No transaction of the engine lasts so long, and everything that is vacuumed waits for the oldest. */
const LONG_TRANSACTION_S = 10 * 60;
const KEPT_BYTES = { warning: 2 ** 30, problem: 10 * 2 ** 30 };
const WAL_GROWTH = 3;
/** The clocks of hosts on NTP differ by milliseconds. */
const CLOCK_MS = 2_000;

/** Says how the database is, beside what the engine's own numbers tell. */
export function databaseFindings(health: DatabaseHealth): Finding[] {
  return [
    schema(health),
    role(health),
    durability(health),
    clock(health),
    connections(health),
    vacuum(health),
    wal(health),
  ];
}

function schema({ missingMigrations: missing }: DatabaseHealth): Finding {
  if (missing.length === 0) return ok('Schema', 'is that of this release');
  return problem(
    'Schema',
    `lacks ${missing.length} migrations: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ' …' : ''}`,
    'Start the API or a worker of this release: each brings the schema up to date at its start.',
  );
}

function role({ role: name, isSuperuser }: DatabaseHealth): Finding {
  if (!isSuperuser) return ok('Role', `"${name}" is no superuser`);
  return warning(
    'Role',
    `"${name}" is a superuser: an injected statement could run programs on the database's machine`,
    `Give DATABASE_URL a role without superuser that owns the database (docs/operate/database.md).`,
  );
}

function durability({ isDurable }: DatabaseHealth): Finding {
  if (isDurable) return ok('Durability', 'committed data survives a power cut');
  return problem(
    'Durability',
    'fsync or full_page_writes is off: a power cut loses accepted requests',
    'Switch both on in PostgreSQL’s configuration, and restart it.',
  );
}

function clock({ clockAheadMs }: DatabaseHealth): Finding {
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1);
  if (Math.abs(clockAheadMs) <= CLOCK_MS) return ok('Clock', `within ${seconds} s of the database's`);
  const way = clockAheadMs > 0 ? 'behind' : 'ahead of';
  return warning(
    'Clock',
    `this machine is ${seconds} s ${way} the database`,
    'Set all hosts by NTP: while clocks differ, the engine does not resend messages that a backend does not show.',
  );
}

function connections({ connections: used, maxConnections }: DatabaseHealth): Finding {
  const says = `${used} of ${maxConnections}`;
  if (used < maxConnections * CONNECTIONS_USED) return ok('Connections', says);
  return warning(
    'Connections',
    says,
    'Raise max_connections, lower DATABASE_POOL_SIZE, or put a transaction pooler before it (docs/operate/database.md).',
  );
}

function vacuum(health: DatabaseHealth): Finding {
  const { hasAutovacuum, transactionAge, deadTables, oldestTransactionSeconds: oldest } = health;
  const todo = [
    ...(hasAutovacuum ? [] : ['Switch autovacuum on: without it tables grow forever, and the server finally stops.']),
    ...(transactionAge > TRANSACTION_AGE.warning ? ['Run VACUUM (FREEZE) on the database, in a quiet hour.'] : []),
    ...(deadTables.length > 0
      ? [`Run VACUUM on ${deadTables.join(', ')}; then find the old transaction or slot that blocks autovacuum.`]
      : []),
    ...(oldest !== null && oldest > LONG_TRANSACTION_S
      ? [
          `End the transaction that is open for ${Math.round(oldest / 60)} min (pg_stat_activity, pg_terminate_backend): it blocks vacuum and pulls of events.`,
        ]
      : []),
  ];
  const says = `${Math.round(transactionAge / 1_000_000)} of 2,147 million transactions since the last freeze`;
  if (todo.length === 0) return ok('Vacuum', says);
  const isUrgent = transactionAge > TRANSACTION_AGE.problem || !hasAutovacuum;
  return isUrgent ? problem('Vacuum', says, ...todo) : warning('Vacuum', says, ...todo);
}

function wal({ wal: log, slots, isArchivingFailing }: DatabaseHealth): Finding {
  const idle = slots.filter(({ isActive, keptBytes }) => !isActive && keptBytes > KEPT_BYTES.warning);
  const isLarge = log !== null && log.walBytes > WAL_GROWTH * log.maxWalBytes;
  const todo = [
    ...idle.map(
      ({ name, keptBytes }) => `Drop the slot "${name}", which no reader uses and which keeps ${gigabytes(keptBytes)}.`,
    ),
    ...(isLarge ? [`It holds more than ${WAL_GROWTH} times max_wal_size: check slots and archiving.`] : []),
    ...(isArchivingFailing ? ['Fix archive_command: PostgreSQL keeps WAL until it is archived.'] : []),
  ];
  const says = log === null ? `the role may not read its size; ${slots.length} slots` : `${gigabytes(log.walBytes)}`;
  if (todo.length === 0) return ok('WAL', says);
  const isUrgent = idle.some(({ keptBytes }) => keptBytes > KEPT_BYTES.problem);
  return isUrgent ? problem('WAL', says, ...todo) : warning('WAL', says, ...todo);
}

const gigabytes = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GB`;
