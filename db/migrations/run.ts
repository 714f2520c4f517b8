import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { sqlState } from '../database.ts';
import { Migration0001First } from './Migration0001First.ts';
import { Migration0002Delivery } from './Migration0002Delivery.ts';
import { Migration0003WebhooksAndAgent } from './Migration0003WebhooksAndAgent.ts';
import { Migration0004Edges } from './Migration0004Edges.ts';
import { Migration0005ReleaseAt } from './Migration0005ReleaseAt.ts';
import { Migration0008Slices } from './Migration0008Slices.ts';
import { Migration0009CleanUp } from './Migration0009CleanUp.ts';
import { Migration0010Shards } from './Migration0010Shards.ts';
import { Migration0011Adoption } from './Migration0011Adoption.ts';
import { Migration0012KeyScopes } from './Migration0012KeyScopes.ts';
import { Migration0013Admin } from './Migration0013Admin.ts';
import { Migration0014Limits } from './Migration0014Limits.ts';
import { Migration0015Passthrough } from './Migration0015Passthrough.ts';
import { Migration0017Withdrawn } from './Migration0017Withdrawn.ts';
import { Migration0019Ceilings } from './Migration0019Ceilings.ts';

const MIGRATIONS = [
  { name: '0001-first', class: Migration0001First },
  { name: '0002-delivery', class: Migration0002Delivery },
  { name: '0003-webhooks-and-agent', class: Migration0003WebhooksAndAgent },
  { name: '0004-edges', class: Migration0004Edges },
  { name: '0005-release-at', class: Migration0005ReleaseAt },
  { name: '0008-slices', class: Migration0008Slices },
  { name: '0009-clean-up', class: Migration0009CleanUp },
  { name: '0010-shards', class: Migration0010Shards },
  { name: '0011-adoption', class: Migration0011Adoption },
  { name: '0012-key-scopes', class: Migration0012KeyScopes },
  { name: '0013-admin', class: Migration0013Admin },
  { name: '0014-limits', class: Migration0014Limits },
  { name: '0015-passthrough', class: Migration0015Passthrough },
  { name: '0017-withdrawn', class: Migration0017Withdrawn },
  { name: '0019-ceilings', class: Migration0019Ceilings },
];

/** A migration that has met the statements of running processes in another order of locks had no effect. */
const LOCK_CONFLICTS = new Set(['40P01', '55P03']);
const MAX_TRIES = 10;
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
