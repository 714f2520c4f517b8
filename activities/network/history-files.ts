import type { Database } from '../../db/engine/database.ts';
import { fetchHistoryFiles } from '../../db/media/fetch.ts';

/** The most unrequested files under way at a time, for a session and in all. */
const BOUNDS = { perSession: 2, inAll: 16 };
/** One look goes through so many sessions that have such files. */
const LOOK = 200;

/**
 * Promises the next file of a session's history behind one that has come, and those of sessions after it where this one
 * has none left.
 */
export async function promiseNextHistoryFile(database: Database, days: number, sessionId: string): Promise<void> {
  if (days === 0) return;
  await database.statement((tx) => fetchHistoryFiles(tx, sessionId, { ...BOUNDS, look: 10, days }));
}

/** Makes the regular look of this process, which goes through all sessions in turn. Returns how many it has promised. */
export function createHistoryFiles(database: Database, days: number) {
  let from = '';
  return async function promiseHistoryFiles(): Promise<number> {
    if (days === 0) return 0;
    const { promised, nextFrom } = await database.statement((tx) =>
      fetchHistoryFiles(tx, from, { ...BOUNDS, look: LOOK, days }),
    );
    from = nextFrom;
    return promised;
  };
}
