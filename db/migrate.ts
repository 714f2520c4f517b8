import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { defineFunctions } from './functions.ts';
import { listedIndexes } from './indexes/list.ts';
import { buildIndexes } from './indexes/indexes.ts';
import { Migration0001First } from './migrations/Migration0001First.ts';
import { Migration0002Delivery } from './migrations/Migration0002Delivery.ts';
import { Migration0003WebhooksAndAgent } from './migrations/Migration0003WebhooksAndAgent.ts';
import { Migration0004Edges } from './migrations/Migration0004Edges.ts';
import { Migration0005ReleaseAt } from './migrations/Migration0005ReleaseAt.ts';
import { Migration0008Slices } from './migrations/Migration0008Slices.ts';
import { Migration0010Shards } from './migrations/Migration0010Shards.ts';
import { Migration0011Adoption } from './migrations/Migration0011Adoption.ts';
import { Migration0012KeyScopes } from './migrations/Migration0012KeyScopes.ts';

/** The advisory lock of migrations; any fixed number would do if all processes that migrate this database use it. */
const MIGRATION_LOCK = 7_215_001;

const MIGRATIONS = [
  { name: '0001-first', class: Migration0001First },
  { name: '0002-delivery', class: Migration0002Delivery },
  { name: '0003-webhooks-and-agent', class: Migration0003WebhooksAndAgent },
  { name: '0004-edges', class: Migration0004Edges },
  { name: '0005-release-at', class: Migration0005ReleaseAt },
  { name: '0008-slices', class: Migration0008Slices },
  { name: '0010-shards', class: Migration0010Shards },
  { name: '0011-adoption', class: Migration0011Adoption },
  { name: '0012-key-scopes', class: Migration0012KeyScopes },
];

const UNREACHED = '>= pg_snapshot_xmax(pg_current_snapshot())';
const SOME_EVENT_UNREACHED = `exists (
  select 1 from agency a join event e on e.agency_id = a.id where e.txid ${UNREACHED})`;

/**
 * Renumbers events after a restore. A dump that was restored on another server brings transaction numbers that this
 * server has not reached: its events would be pulled after all future events, and so would the next events of its
 * sessions. All events get the same number, under which they keep their order. The record of expired events goes by the
 * old numbers, of which some were reached, so it is deleted first; otherwise every later cursor would be refused.
 */
const RENUMBER_RESTORED = [
  `delete from event_expiry where txid ${UNREACHED} or ${SOME_EVENT_UNREACHED}`,
  `update event set txid = '3' where ${SOME_EVENT_UNREACHED}`,
  `update session_sequence set last_txid = '3' where last_txid ${UNREACHED}`,
  // Owners read whatever their snapshot could not see; these numbers no snapshot of this server would ever see.
  `update delivery set txid = null where status = 'pending' and txid ${UNREACHED}`,
  `update endpoint_health set touched_txid = null where touched_txid ${UNREACHED}`,
];

/**
 * Brings the database to this version's schema. MikroORM has no lock between processes, so another connection holds an
 * advisory lock meanwhile; a process that has waited for it finds nothing left to do. Indexes come last, under a lock
 * of their own. `db/migrations/README.md` says what belongs where.
 */
export async function migrate(directUrl: string, indexes = listedIndexes()): Promise<void> {
  const lock = new Client({ connectionString: directUrl, application_name: 'engine-migrate' });
  await connect(lock);
  // A lost connection rejects the statement under way, too; without a listener it would end the process unexplained.
  lock.on('error', () => undefined);
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const orm = await MikroORM.init({
      clientUrl: directUrl,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      pool: { min: 0, max: 2 },
      driverOptions: { options: '-c timezone=UTC' },
      migrations: {
        migrationsList: MIGRATIONS,
        snapshotOnMigrate: false,
        silent: true,
      },
    });
    try {
      await orm.migrator.up();
      await defineFunctions(lock);
      await orm.em.fork().execute('select maintain_partitions(current_date)');
      for (const statement of RENUMBER_RESTORED) await orm.em.fork().execute(statement);
    } finally {
      await orm.close(true);
    }
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    if (!(await isOfANewerVersion(lock))) await buildIndexes(lock, indexes);
  } finally {
    await lock.end();
  }
}

/**
 * True when a newer version has migrated the database. The indexes are then that version's, and an older process that
 * starts must not bring back those that it has dropped.
 */
async function isOfANewerVersion(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from mikro_orm_migrations where name <> all($1::text[])', [
    MIGRATIONS.map(({ name }) => name),
  ]);
  return rowCount !== 0;
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
