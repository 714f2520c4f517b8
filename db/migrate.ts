import { Client } from 'pg';
import { MIGRATION_NAMES } from './engine/migration-names.ts';
import { defineFunctions } from './functions.ts';
import { listedIndexes } from './indexes/list.ts';
import { buildIndexes } from './indexes/indexes.ts';

/** The advisory lock of migrations; any fixed number would do if all processes that migrate this database use it. */
const MIGRATION_LOCK = 7_215_001;

const UNREACHED = '>= pg_snapshot_xmax(pg_current_snapshot())';
const SOME_EVENT_UNREACHED = `exists (
  select 1 from agency a join event e on e.agency_id = a.id where e.txid ${UNREACHED})`;

/**
 * Renumbers events after a restore. `test/db/restored.test.ts` demands a statement for each place that holds a number.
 * A dump that was restored on another server brings transaction numbers that this server has not reached: its events
 * would be pulled after all future events, and so would the next events of its sessions. All events get the same
 * number, under which they keep their order. The record of expired events goes by the old numbers, of which some were
 * reached, so it is deleted first; otherwise every later cursor would be refused.
 */
export const RENUMBER_RESTORED = [
  `delete from event_expiry where txid ${UNREACHED} or ${SOME_EVENT_UNREACHED}`,
  // The retention and the erasures look at the renumbered events from the first on.
  `update retention_place set txid = default, place = default where txid ${UNREACHED} or ${SOME_EVENT_UNREACHED}`,
  `update erasure set cursor = '{"at": "begin"}' where ended_at is null and cursor->>'at' = 'events'
    and ((cursor->>'until')::xid8 ${UNREACHED} or ${SOME_EVENT_UNREACHED})`,
  `update event set txid = '3' where ${SOME_EVENT_UNREACHED}`,
  `update session_sequence set last_txid = '3' where last_txid ${UNREACHED}`,
  // Owners read whatever their snapshot could not see; these numbers no snapshot of this server would ever see.
  `update delivery set txid = null where status = 'pending' and txid ${UNREACHED}`,
  `update endpoint_health set touched_txid = null where touched_txid ${UNREACHED}`,
  // A trigger puts the number of this transaction in its place.
  `update endpoint set touched_txid = null where touched_txid ${UNREACHED}`,
  `update endpoint set withdrawn_txid = null where withdrawn_txid ${UNREACHED}`,
];

/**
 * Brings the database to this version's schema. MikroORM has no lock between processes, so another connection holds an
 * advisory lock meanwhile; a process that has waited for it finds nothing left to do. Indexes come last, under a lock
 * of their own. `db/migrations/README.md` says what belongs where.
 */
export async function migrate(directUrl: string, indexes = listedIndexes()): Promise<void> {
  // The borders of partitions are in UTC, whatever the server's own setting.
  const lock = new Client({
    connectionString: directUrl,
    application_name: 'engine-migrate',
    options: '-c timezone=UTC',
  });
  await connect(lock);
  // A lost connection rejects the statement under way, too; without a listener it would end the process unexplained.
  lock.on('error', () => undefined);
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const before = await readMigrated(lock);
    // The library takes memory and time, which a start that finds nothing to migrate does without.
    if (before === null || MIGRATION_NAMES.some((name) => !before.has(name))) {
      const { runMigrations } = await import('./engine/run-migrations.ts');
      await runMigrations(directUrl);
    }
    await defineFunctions(lock);
    await lock.query('select maintain_partitions(current_date)');
    for (const statement of RENUMBER_RESTORED) await lock.query(statement);
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    // A newer version has migrated the database. The indexes are then that version's, and an older process that starts
    // must not bring back those that it has dropped.
    const isOfANewerVersion = before !== null && [...before].some((name) => !MIGRATION_NAMES.includes(name));
    if (!isOfANewerVersion) await buildIndexes(lock, indexes);
  } finally {
    await lock.end();
  }
}

/** Reads the names of the migrations that were run; null on a database that no version has migrated. */
async function readMigrated(client: Client): Promise<Set<string> | null> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('mikro_orm_migrations') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return null;
  const migrated = await client.query<{ name: string }>('select name from mikro_orm_migrations');
  return new Set(migrated.rows.map(({ name }) => name));
}

/**
 * The error of a database that cannot be reached. Its text says what to check, but not the address, which may hold a
 * password.
 */
class DatabaseUnreachable extends Error {
  override readonly name = 'DatabaseUnreachable';
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect();
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    const reason = typeof code === 'string' ? ` (${code})` : '';
    throw new DatabaseUnreachable(
      `PostgreSQL cannot be reached${reason}: check DATABASE_URL and DATABASE_DIRECT_URL, and that the server runs.`,
      { cause: error },
    );
  }
}
