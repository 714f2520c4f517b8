import { writeFileSync } from 'node:fs';
import { aDatabase } from '../../test/db/a-database.ts';
import { startTestServers } from '../../test/global-setup.ts';
import tearDown from '../../test/global-teardown.ts';
import { tablesFile } from './tables-file.ts';

/** Writes the types of all tables, by which tests read and write rows: `npm run tables`, after a migration. */
await startTestServers();
try {
  const database = await aDatabase();
  try {
    writeFileSync(new URL('../../test/support/rows/tables.ts', import.meta.url), await tablesFile(database));
  } finally {
    await database.close();
  }
} finally {
  await tearDown();
}
