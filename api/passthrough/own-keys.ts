import type { SessionKey } from '../../adapters/backend/calls/keys.ts';
import type { Database } from '../../db/engine/database.ts';
import { forgetBackendKey, keepBackendKey, readBackendKey } from '../../db/sessions/backend-key.ts';
import { createBriefCache } from '../wire/brief-cache.ts';
import type { SessionAtBackend, SessionLookup } from './session-lookup.ts';

/** Longer than the engine's own keys are remembered: nobody ends these but the backend, which says so. */
const CACHE = { maxAgeMs: 60_000, maxEntries: 10_000 };
/** A backend that cannot make keys may be a newer one by then; one that failed may be well again. */
const ASK_AGAIN_MS = 600_000;
const TRY_AGAIN_MS = 60_000;

export interface KeyCalls {
  makeSessionKey(session: Place): Promise<SessionKey | null>;
  deleteSessionKey(session: Place, id: string): Promise<void>;
}

type Place = Pick<SessionAtBackend, 'id' | 'name' | 'backend'>;

interface Means {
  database: Database;
  calls: KeyCalls;
  onError: (error: unknown) => void;
}

/**
 * Has requests that are passed on carry a key of the backend that opens their own session and no other, so that the
 * backend itself refuses what should ever get past the engine. The first request of a session makes the key. If the
 * backend makes no keys, requests carry the engine's own key, as all other calls of the engine do.
 */
export function withOwnKeys(lookup: SessionLookup, { database, calls, onError }: Means): SessionLookup {
  /** By backend, the time until which it is not asked for keys. */
  const notBefore = new Map<string, number>();
  const keys = createBriefCache(CACHE, async (asked): Promise<SessionKey | null> => {
    const [id = '', name = '', backend = ''] = asked.split(' ');
    const kept = await database.read((queries) => readBackendKey(queries, id));
    if (kept === null || kept.key === null) return make({ id, name, backend }, kept?.id ?? null);
    if (kept.isOutdated) await keep(id, { id: kept.id, key: kept.key }, kept.id);
    return { id: kept.id, key: kept.key };
  });

  async function make(session: Place, formerId: string | null): Promise<SessionKey | null> {
    const { id, backend } = session;
    if ((notBefore.get(backend) ?? 0) > Date.now()) return null;
    try {
      const made = await calls.makeSessionKey(session);
      if (made === null) notBefore.set(backend, Date.now() + ASK_AGAIN_MS);
      if (made === null || (await keep(id, made, formerId))) return made;
      // Another process was faster, and its key is the one that counts.
      await calls.deleteSessionKey(session, made.id);
      const kept = await database.read((queries) => readBackendKey(queries, id));
      return kept?.key == null ? null : { id: kept.id, key: kept.key };
    } catch (error) {
      notBefore.set(backend, Date.now() + TRY_AGAIN_MS);
      onError(error);
      return null;
    }
  }

  async function keep(sessionId: string, made: SessionKey, formerId: string | null): Promise<boolean> {
    return database.statement((tx) => keepBackendKey(tx, sessionId, { made, formerId }));
  }

  return {
    async find(scope, named) {
      const session = await lookup.find(scope, named);
      const own = session && (await keys(wordsOf(session)));
      return own ? { ...session, apiKey: own.key, hasOwnKey: true } : session;
    },

    isNameOfSession: async (name) => lookup.isNameOfSession(name),

    /** The backend does not know the key: the next request of the session makes another one. */
    async refused(session) {
      const own = await keys(wordsOf(session));
      if (own === null || own.key !== session.apiKey) return;
      await database.statement((tx) => forgetBackendKey(tx, session.id, own.id));
      keys.forget(wordsOf(session));
    },
  };
}

/** Ids and names hold no space. */
function wordsOf({ id, name, backend }: Place): string {
  return [id, name, backend].join(' ');
}
