import type { CallsOf, SessionCalls } from '../../adapters/backend/backends.ts';
import type { Database } from '../../db/engine/database.ts';
import { findSessionById } from '../../db/sessions/session.ts';
import { EngineError } from '../../domain/error.ts';

/**
 * Reads files that contacts of a session have sent, from the backend that holds the session. A file that cannot be had
 * is null, whatever the reason.
 */
export function filesOfSession(
  { database, backends }: { database: Pick<Database, 'read'>; backends: CallsOf<'getFile'> },
  sessionId: string | null,
): Pick<SessionCalls, 'getFile'> {
  return {
    async getFile(file) {
      if (sessionId === null) return null;
      const session = await database.read((queries) => findSessionById(queries, sessionId));
      if (session === null) return null;
      try {
        return await backends.of(session).getFile(file);
      } catch (error) {
        if (error instanceof EngineError) return null;
        throw error;
      }
    },
  };
}
