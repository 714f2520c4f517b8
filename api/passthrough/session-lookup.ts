import type { Database } from '../../db/database.ts';
import { findSessionInScope } from '../../db/sessions/session.ts';
import type { SessionLookup } from './passthrough.ts';

/** The sessions that the passthrough may reach. There is one backend as yet; each session says which holds it. */
export function createSessionLookup(database: Database, backendUrl: string): SessionLookup {
  return {
    async find(scope, idOrName) {
      const session = await database.read((queries) => findSessionInScope(queries, scope, idOrName));
      return session ? { id: session.id, name: session.name, baseUrl: backendUrl } : undefined;
    },
  };
}
