import { sql } from 'kysely';
import type { Database } from '../../db/engine/database.ts';
import type { TestEngine } from './engine.ts';
import { eventually } from './eventually.ts';
import { countOf, rowsOf } from './rows.ts';

/** Has the session run on another engine of the backend. A report that was read before must not undo it. */
export async function setPlatform(database: Database, sessionId: string, platform: string): Promise<void> {
  await rowsOf(
    database,
    sql<object>`update session set platform = ${platform}, status_at = now() + interval '1 hour' where id = ${sessionId}`,
  );
}

/**
 * Has a working session run on another engine, and waits until its report is recorded. From then on an earlier report
 * cannot undo the platform, and later ones count.
 */
export async function runOn(
  engine: TestEngine,
  { id, name }: { id: string; name: string },
  platform: string,
): Promise<void> {
  const [before] = await rowsOf(
    engine.database,
    sql<{ at: string }>`select status_at::text as at from session where id = ${id}`,
  );
  await engine.control('POST', `/sessions/${name}/engine`, { engine: platform });
  await engine.control('POST', `/sessions/${name}/status`, { status: 'WORKING' });
  const reported = sql`session where id = ${id} and platform = ${platform} and status_at > ${before?.at}::timestamptz`;
  await eventually(async () => (await countOf(engine.database, reported)) === 1, {
    what: `${name} to run on ${platform}`,
  });
}
