import type { Database } from '../../db/engine/database.ts';
import type { Queries } from '../../db/engine/tx.ts';
import { findSessionInScope, isOursAtBackend } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Scope } from '../../domain/scope.ts';

/** Returns the session that a request is about, or answers 404 as for every missing thing. */
export async function sessionInScope(database: Database, scope: Scope, named?: string): Promise<Session> {
  return database.read((queries) => requireSession(queries, scope, named));
}

export async function requireSession(queries: Queries, scope: Scope, named?: string): Promise<Session> {
  const session = await findSessionInScope(queries, scope, named);
  if (!session) throw named === undefined ? noSessionYet() : notFound('session');
  return session;
}

/** Says what is missing where the request leaves the choice to the engine. */
function noSessionYet(): EngineError {
  return new EngineError(
    'not_found',
    'The tenant has no session yet: connect an account with POST /api/v1/sessions and scan its QR code.',
  );
}

/** Refuses a read from the backend while another program may have something under the session's name there. */
export function requireOursAtBackend(session: Session): void {
  if (isOursAtBackend(session)) return;
  throw new EngineError('session_not_ready', 'The session is not connected yet: its status says why, in lastError.');
}
