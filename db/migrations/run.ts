import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { sqlState } from '../database.ts';
import { migration } from './migration.ts';

const MIGRATIONS = [
  '0001-first',
  '0002-delivery',
  '0003-webhooks-and-agent',
  '0004-edges',
  '0005-release-at',
  '0008-slices',
  '0009-clean-up',
  '0010-shards',
  '0011-adoption',
  '0012-key-scopes',
  '0013-admin',
  '0014-limits',
  '0015-passthrough',
  '0017-withdrawn',
  '0019-ceilings',
  '0020-session-wish',
  '0021-connect-link',
  '0022-contacts',
  '0023-person',
  '0024-backends',
  '0025-labels',
  '0027-backend-keys',
  '0028-contact-names',
  '0029-silence',
  '0030-people',
  '0032-media',
  '0033-agencies-at-work',
  '0034-kinds',
  '0035-actions',
  '0036-history',
  '0037-gaps',
  '0038-inbox',
  '0039-mirror',
  '0040-media-kept',
  '0041-personal-data',
  '0045-gap-readings',
  '0046-search',
  '0047-mirror-changes',
  '0048-media-counted',
  '0049-retention',
  '0050-chat-search',
  '0052-automations',
  '0053-export',
  '0054-record-retention',
  '0055-changes-found',
  '0057-opt-out',
  '0058-automation-limits',
  '0061-trace',
  '0062-search-due',
  '0065-automation-input',
  '0069-session-endpoints',
  '0070-console',
  '0072-label-lease',
  '0074-automation-line',
  '0076-automation-default',
  '0077-automation-change-origin',
  '0078-execution-taken-over',
  '0080-awaited-content',
  '0081-unknown-report',
  '0086-message-of-run',
  '0087-run-owns',
  '0090-deletion-mark',
  '0091-erasures',
  '0092-erased-pepper',
  '0093-uploads',
  '0094-erased-by-tenant',
  '0095-credential-makers',
  '0096-content-asked',
  '0097-unmerge',
  '0099-storage',
  '0100-storage-counted',
  '0102-only-session-keys',
  '0110-being-matched',
  '0120-new-chats',
  '0130-open-streams',
  '0160-owed-to-people',
  '0168-agency-goes-since',
  '0170-made-in-a-login',
  '0171-follow-messages',
  '0172-follow-conversations',
].map(migration);

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
