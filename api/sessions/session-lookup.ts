import type { Backends } from '../../adapters/backend/backends.ts';
import type { Database } from '../../db/engine/database.ts';
import { findSessionInScope, sessionNameExists } from '../../db/sessions/session.ts';
import type { Scope } from '../../domain/scope.ts';
import { requireOursAtBackend } from './session-in-scope.ts';
import { createBriefCache } from '../wire/brief-cache.ts';
import type { SessionLookup } from '../passthrough/session-lookup.ts';

/** A session that is looked up again and again is read once a second. */
const CACHE = { maxAgeMs: 1_000, maxEntries: 10_000 };

/** Finds sessions in the database, and where the backends that hold them are. */
export function createSessionLookup(database: Database, backends: Pick<Backends, 'at'>): SessionLookup {
  const found = createBriefCache({ ...CACHE, remembersMissing: false }, (asked) => {
    const [agencyId = '', tenantId = '', sessionId = '', named = ''] = asked.split(' ');
    const scope: Scope = { agencyId, tenantId, sessionId: sessionId === '' ? null : sessionId };
    return database.read((queries) => findSessionInScope(queries, scope, named === '' ? undefined : named));
  });
  const isName = createBriefCache({ ...CACHE, remembersMissing: false }, async (name) =>
    database.read((queries) => sessionNameExists(queries, name)),
  );
  return {
    isNameOfSession: isName,
    async find({ agencyId, tenantId, sessionId }, named) {
      // Ids hold no space; a name that does is no session's.
      if (named?.includes(' ') || named === '') return undefined;
      const session = await found([agencyId, tenantId, sessionId ?? '', named ?? ''].join(' '));
      if (!session) return undefined;
      requireOursAtBackend(session);
      const { id, name, backend, status, platform = null, chatId = null } = session;
      const { url: baseUrl, apiKey } = backends.at(session);
      return { id, name, backend, baseUrl, apiKey, hasOwnKey: false, status, platform, chatId };
    },
  };
}
