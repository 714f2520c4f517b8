import { afterAll } from '@jest/globals';
import type { Database } from '../../db/engine/database.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { aDatabase, aWorkingSession } from './a-database.ts';

/**
 * A database for all tests of the file, which closes it, and the session on it that works. A file awaits it before its
 * first `describe`.
 */
export async function databaseOfThisFile(
  options: { poolSize?: number } = {},
): Promise<{ database: Database; sessionId: string; session: Session }> {
  const database = await aDatabase(options);
  afterAll(() => database.close());
  const sessionId = await aWorkingSession(database);
  const session = await database.read((queries) => findSessionById(queries, sessionId));
  if (!session) throw new Error('The session is not there.');
  return { database, sessionId, session };
}
