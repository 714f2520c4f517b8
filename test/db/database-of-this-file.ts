import { afterAll } from '@jest/globals';
import type { Database } from '../../db/engine/database.ts';
import { migrate } from '../../db/migrate.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { startPostgres } from '../../local/embedded/postgres/postgres.ts';
import { scratch } from '../local/embedded/scratch.ts';
import { aDatabase, aWorkingSession } from './a-database.ts';

interface Options {
  poolSize?: number;
  /**
   * Starts a server for this file alone. An open transaction in any database of a server keeps PostgreSQL from clearing
   * dead rows in all of them, so counted pages would depend on other files.
   */
  ownServer?: boolean;
}

/**
 * A database for all tests of the file, which closes it, and the session on it that works. A file awaits it before its
 * first `describe`.
 */
export async function databaseOfThisFile({ ownServer = false, ...options }: Options = {}): Promise<{
  database: Database;
  sessionId: string;
  session: Session;
}> {
  const server = ownServer ? await startServer() : undefined;
  const database = await aDatabase({ ...options, ...(server === undefined ? {} : { url: server.url }) });
  afterAll(async () => {
    await database.close();
    await server?.clear();
  });
  const sessionId = await aWorkingSession(database);
  const session = await database.read((queries) => findSessionById(queries, sessionId));
  if (!session) throw new Error('The session is not there.');
  return { database, sessionId, session };
}

async function startServer(): Promise<{ url: string; clear: () => Promise<void> }> {
  const { directory, stopLater, clear } = scratch();
  const settings = { fsync: 'off', autovacuum: 'off' };
  const { url } = stopLater(await startPostgres({ dataDir: await directory(), settings, log: () => undefined }));
  await migrate(url);
  return { url, clear };
}
