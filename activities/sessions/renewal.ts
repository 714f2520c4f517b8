import { createHash } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { isFormerProcessConnected } from '../../db/former-processes.ts';
import { listOpenSends } from '../../db/sending/open-send.ts';
import type { Session } from '../../db/sessions/session.ts';

/** The sessions of a fleet are renewed over this time, so that a backend does not restart all of them at once. */
const SPREAD_MS = 60 * 60_000;

/**
 * Decides when a session that the previous release has made is subscribed to what is new, which restarts it: once no
 * process of that release is left, which would put its own subscription back; when the session's turn has come; and
 * while none of its sends is on its way. Until then the session goes on as it is.
 */
export function createRenewal(database: Pick<Database, 'read'>, spreadMs = SPREAD_MS) {
  const startedAt = performance.now();

  return async function mustWait({ id }: Pick<Session, 'id'>): Promise<boolean> {
    if (performance.now() - startedAt < turnOf(id) * spreadMs) return true;
    return database.read(
      async (queries) =>
        (await isFormerProcessConnected(queries)) || (await listOpenSends(queries, id, 'under_way')).length > 0,
    );
  };
}

/** Answers a number from 0 to 1 that is always the same for a session. */
function turnOf(sessionId: string): number {
  return createHash('sha256').update(sessionId).digest().readUInt32BE() / 2 ** 32;
}
