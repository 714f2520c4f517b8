import type { Database } from '../db/engine/database.ts';
import { failSession } from '../db/network/session-failure.ts';
import { listSessionsOfLostBackends } from '../db/sessions/backend-state.ts';
import { lockSession } from '../db/sessions/session.ts';
import { BACKEND_LOST } from '../domain/sessions/session-error.ts';

const BATCH = 100;

/**
 * Fails the sessions whose backend no worker has in its configuration any more: their sends wait and go nowhere else, and
 * their status says why. They come back with the backend.
 */
export async function failLostSessions(database: Database, stopping: AbortSignal): Promise<void> {
  for (;;) {
    const lost = await database.read((queries) => listSessionsOfLostBackends(queries, BATCH));
    for (const { id, backend } of lost) {
      await database.transaction(async (tx) => {
        const session = await lockSession(tx, id);
        // Somebody may have moved the session meanwhile.
        if (session?.backend === backend) await failSession(tx, session, BACKEND_LOST);
      });
    }
    if (lost.length < BATCH || stopping.aborted) return;
  }
}
