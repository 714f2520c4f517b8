import { z } from 'zod';
import type { Http } from '../http/http.ts';
import { answerTo, parseAnswer } from '../http/read.ts';

/** A key of the backend that opens one session and nothing else. */
export interface SessionKey {
  id: string;
  key: string;
}

const Made = z.object({ id: z.string(), key: z.string() });

/** No such route, not in this version or edition (422), or our own key may not make any. */
const UNABLE = new Set([401, 403, 404, 422, 501]);

/** A request of somebody waits meanwhile, and goes on without the key. */
const TIMEOUT_MS = 5_000;

/** Makes and deletes the backend's own keys of single sessions. */
export function createKeyCalls(http: Http) {
  /** Null when the backend cannot. It is no error that the session does not exist: the key is bound to its name. */
  async function makeSessionKey(session: string): Promise<SessionKey | null> {
    const doing = 'make a key of the session';
    // Without a list of actions it may do everything but delete the session.
    const body = { isAdmin: false, session, isActive: true };
    const answer = await answerTo(http, { method: 'POST', path: '/api/keys', body, timeoutMs: TIMEOUT_MS, doing });
    return UNABLE.has(answer.status) ? null : parseAnswer(answer, Made, doing);
  }

  /** A key that is gone, or that this backend lets nobody delete, is left as it is. */
  async function deleteSessionKey(id: string): Promise<void> {
    const doing = 'delete a key of the session';
    const path = `/api/keys/${encodeURIComponent(id)}`;
    const answer = await answerTo(http, { method: 'DELETE', path, timeoutMs: TIMEOUT_MS, doing });
    if (!UNABLE.has(answer.status)) parseAnswer(answer, z.unknown(), doing);
  }

  return { makeSessionKey, deleteSessionKey };
}
