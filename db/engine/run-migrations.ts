import { setTimeout as pause } from 'node:timers/promises';
import { Migrator, Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { readFileSync } from 'node:fs';
import { sqlState } from './database.ts';
import { MIGRATION_NAMES } from './migration-names.ts';

/**
 * Makes the migration that runs the SQL file of its name. The schema is written as SQL, because MikroORM's schema
 * generator cannot make partitioned tables.
 */
function migration(name: string): {
  name: string;
  class: new (...made: ConstructorParameters<typeof Migration>) => Migration;
} {
  return {
    name,
    class: class extends Migration {
      override up(): void {
        this.addSql(readFileSync(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8'));
      }
    },
  };
}

const MIGRATIONS = MIGRATION_NAMES.map(migration);

/** A migration that has met the statements of running processes in another order of locks had no effect. */
const LOCK_CONFLICTS = new Set(['40P01', '55P03']);
/** Ten were not enough beside two busy APIs and two workers of the previous release. */
const MAX_TRIES = 40;
const PAUSE_MS = 500;

/**
 * Runs the migrations that the database lacks, each in a transaction of its own, so that none keeps what an earlier one
 * has locked. The caller holds the lock of migrations, because MikroORM has none. Processes of the previous release go
 * on meanwhile, so a migration that had to give way to one of them is tried again.
 */
export async function runMigrations(directUrl: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await runMissing(directUrl);
      return;
    } catch (error) {
      if (tries >= MAX_TRIES || !LOCK_CONFLICTS.has(sqlState(error) ?? '')) throw error;
      await pause(PAUSE_MS * Math.random());
    }
  }
}

async function runMissing(directUrl: string): Promise<void> {
  const orm = await MikroORM.init({
    clientUrl: directUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    pool: { min: 0, max: 2 },
    driverOptions: { options: '-c timezone=UTC' },
    migrations: {
      migrationsList: MIGRATIONS,
      allOrNothing: false,
      snapshotOnMigrate: false,
      silent: true,
    },
  });
  try {
    await orm.migrator.up();
  } finally {
    await orm.close(true);
  }
}
