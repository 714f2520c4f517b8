import { sql } from 'kysely';
import { migrate } from '../../db/migrate.ts';
import type { Database } from '../../db/engine/database.ts';
import { changeRows, rowsOf } from '../support/rows.ts';

/** Restores a dump of a server whose transaction numbers are far ahead of this one's. */
export async function restoreElsewhere(database: Database): Promise<void> {
  const far = '900000000';
  await changeRows(database, 'event', { txid: far });
  await changeRows(database, 'retentionPlace', { txid: far }, { kind: 'events' });
  await changeRows(database, 'sessionSequence', { lastTxid: far });
  await rowsOf(
    database,
    sql`update erasure set cursor = jsonb_set(jsonb_set(cursor, '{until}', '"900000001"'), '{after,txid}', '"899999999"')
      where cursor->>'at' = 'events'`,
  );
  const [named] = await rowsOf<{ name: string }>(database, sql`select current_database() as name`);
  const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '');
  url.pathname = `/${named?.name ?? ''}`;
  await migrate(url.href);
}
