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

/** Any fixed number: all processes that migrate this database must agree on it. */
const MIGRATION_LOCK = 7_215_001;

const MIGRATIONS = [
  { name: '0001-first', class: Migration0001First },
  { name: '0002-delivery', class: Migration0002Delivery },
  { name: '0003-webhooks-and-agent', class: Migration0003WebhooksAndAgent },
  { name: '0004-edges', class: Migration0004Edges },
];

const UNREACHED = '>= pg_snapshot_xmax(pg_current_snapshot())';
const SOME_EVENT_UNREACHED = `exists (
  select 1 from agency a join event e on e.agency_id = a.id where e.txid ${UNREACHED})`;

/**
 * A dump that was restored elsewhere brings numbers of transactions that this server has not reached: its events would
 * be pulled after everything that is yet to come, and with them what its sessions tell next. All get one number, under
 * which they keep their order. What was said of events that are gone goes by the old numbers, of which some were
 * reached: it is forgotten first, else every cursor after it would be refused.
 */
const RENUMBER_RESTORED = [
  `delete from event_expiry where txid ${UNREACHED} or ${SOME_EVENT_UNREACHED}`,
  `update event set txid = '3' where ${SOME_EVENT_UNREACHED}`,
  `update session_sequence set last_txid = '3' where last_txid ${UNREACHED}`,
];

/**
 * Brings the database to this version's schema. MikroORM has no lock between processes, so a session of its own
 * holds an advisory lock meanwhile; a process that waited finds nothing left to do. Indexes come last, under a lock of
 * their own, and `db/migrations/README.md` says what may be where.
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
 * Then its indexes are that version's, too: what it has dropped must not come back with an older process that starts.
 */
async function isOfANewerVersion(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('select from mikro_orm_migrations where name <> all($1::text[])', [
    MIGRATIONS.map(({ name }) => name),
  ]);
  return rowCount !== 0;
}

/** The person who set the address can mend it; the address itself may hold a password and is not repeated. */
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
