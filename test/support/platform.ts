import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { rowsOf } from './rows.ts';

/** Has the session run on another engine of the backend. A report that was read before must not undo it. */
export async function setPlatform(database: Database, sessionId: string, platform: string): Promise<void> {
  await rowsOf(
    database,
    sql<object>`update session set platform = ${platform}, status_at = now() + interval '1 hour' where id = ${sessionId}`,
  );
}
