import { z } from 'zod';
import { EngineError } from '../../../domain/error.ts';
import type { NetworkAccount } from '../../../domain/network/network-event.ts';
import { Account } from './account.ts';
import { errorWordsOf } from '../http/answer.ts';
import type { Http } from '../http/http.ts';
import { Anything, Text } from '../events/raw.ts';
import { answerTo, LIFECYCLE_TIMEOUT_MS, parseAnswer, read } from '../http/read.ts';
import { sessionRefused } from '../http/refusal.ts';
import { newChatsOf, restrictionOf } from './restriction.ts';
import type { AccountRestriction } from './restriction.ts';
import type { NewChats } from '../../../domain/sessions/new-chats.ts';
import { configFor, hearsFormer, SessionConfig, sessionIdOf, webhookDiffers } from './session-settings.ts';
import type { SessionSpec } from './session-settings.ts';

export interface BackendSession {
  name: string;
  /** The engine's id of the session; null for a session that was made by another program. */
  sessionId: string | null;
  /** An open set of words; see `WORKING` in domain/sessions/session.ts. */
  status: string;
  me: NetworkAccount | null;
  /** The engine behind the session, as `NOWEB`. */
  platform: string | null;
  /** The network's restriction of the account, when there is one now. */
  restriction: AccountRestriction | null;
  /** The network's quota of new chats; null where the backend does not tell it. */
  newChats: NewChats | null;
  /** True when the session was left with the subscription of the previous release. */
  awaitsRenewal?: boolean;
}

const RawSession = z.object({
  name: z.string(),
  status: z.string(),
  me: Anything,
  engine: z.object({ engine: Text }).nullable().catch(null),
  config: SessionConfig,
});

const Listed = z.object({ name: z.string(), status: z.string() });

/**
 * Reads the backend's session. Lists of sessions and, in some versions, answers to lifecycle calls do not name its
 * engine, so `platform` may be null.
 */
function toSession(raw: z.output<typeof RawSession>): BackendSession {
  return {
    name: raw.name,
    sessionId: sessionIdOf(raw.config),
    status: raw.status,
    me: Account.parse(raw.me),
    platform: raw.engine?.engine ?? null,
    restriction: restrictionOf(raw.me, Date.now()),
    newChats: newChatsOf(raw.me),
  };
}

/** Makes, starts, stops and reads sessions at the backend. Every call may be repeated. */
export function createSessionCalls(http: Http, readTimeoutMs: number) {
  async function find(name: string, timeoutMs = readTimeoutMs) {
    const doing = 'read the session';
    const answer = await answerTo(http, { method: 'GET', path: sessionPath(name), timeoutMs, doing });
    return answer.status === 404 ? null : parseAnswer(answer, RawSession, doing);
  }

  async function getSession(name: string, timeoutMs = readTimeoutMs): Promise<BackendSession | null> {
    const session = await find(name, timeoutMs);
    return session === null ? null : toSession(session);
  }

  /** Lists every session of the backend, stopped ones too. */
  async function listSessions(signal: AbortSignal): Promise<{ name: string; status: string }[]> {
    return read(http, z.array(Listed), {
      method: 'GET',
      path: '/api/sessions',
      query: { all: true },
      timeoutMs: readTimeoutMs,
      signal,
      doing: 'list its sessions',
    });
  }

  async function getRestriction(name: string, timeoutMs = readTimeoutMs): Promise<AccountRestriction | null> {
    const session = await find(name, timeoutMs);
    return session === null ? null : restrictionOf(session.me, Date.now());
  }

  /**
   * Creates and starts a session. When our session exists, its webhook is brought up to date, and it is started if it
   * was stopped. A session of that name that is not ours is another's account, so it is left alone (`name_taken`)
   * unless `adopts` says otherwise.
   */
  async function createSession(spec: SessionSpec): Promise<BackendSession> {
    const doing = 'create the session';
    const answer = await answerTo(http, {
      method: 'POST',
      path: '/api/sessions',
      // `start` is documented to default to true, but was false in older versions (docs/extend/backend.md#sessions, 2).
      body: { name: spec.name, start: true, config: configFor(spec) },
      timeoutMs: LIFECYCLE_TIMEOUT_MS,
      doing,
    });
    if (answer.status === 400) throw sessionRefused(answer);
    const exists = answer.status === 422 && /already exists/i.test(errorWordsOf(answer).text);
    return exists ? updateSession(spec) : toSession(parseAnswer(answer, RawSession, doing));
  }

  /**
   * Creates a missing session and brings an existing one's webhook up to date; when nothing differs this costs one
   * read.
   */
  async function ensureSession(spec: SessionSpec): Promise<BackendSession> {
    const found = await find(spec.name);
    return found === null ? createSession(spec) : bringUpToDate(spec, found);
  }

  async function updateSession(spec: SessionSpec): Promise<BackendSession> {
    const found = await find(spec.name);
    if (found === null) throw new EngineError('backend_error', 'The session was deleted while it was created.');
    const session = await bringUpToDate(spec, found);
    // A session in FAILED is left to its supervisor, which limits restarts.
    return session.status === 'STOPPED' ? startSession(spec.name) : session;
  }

  async function bringUpToDate(spec: SessionSpec, found: z.output<typeof RawSession>): Promise<BackendSession> {
    const isOwn = sessionIdOf(found.config) === spec.sessionId;
    if (!isOwn && !spec.adopts) {
      throw new EngineError(
        'name_taken',
        'The messaging backend has a session of this name that is not of this engine.',
      );
    }
    if (!isOwn || webhookDiffers(spec, found.config)) return replaceConfig(spec, found.config);
    return hearsFormer(spec, found.config) ? { ...toSession(found), awaitsRenewal: true } : toSession(found);
  }

  async function replaceConfig(spec: SessionSpec, existing: SessionConfig): Promise<BackendSession> {
    const doing = 'update the session';
    const answer = await answerTo(http, {
      method: 'PUT',
      path: sessionPath(spec.name),
      body: { config: configFor(spec, existing) },
      timeoutMs: LIFECYCLE_TIMEOUT_MS,
      doing,
    });
    return toSession(parseAnswer(answer, RawSession, doing));
  }

  async function startSession(name: string): Promise<BackendSession> {
    const answer = await lifecycle(name, 'start');
    const runs = answer.status === 422 && /already (started|running)/i.test(errorWordsOf(answer).text);
    const session = runs ? await find(name) : parseAnswer(answer, RawSession, 'start the session');
    if (session === null) throw new EngineError('not_found', 'The session was deleted while it was started.');
    return toSession(session);
  }

  async function restartSession(name: string): Promise<BackendSession> {
    return toSession(parseAnswer(await lifecycle(name, 'restart'), RawSession, 'restart the session'));
  }

  /** Ends the session's connection and keeps its login; a session that is not there counts as stopped. */
  async function stopSession(name: string): Promise<void> {
    const answer = await lifecycle(name, 'stop');
    if (answer.status !== 404) parseAnswer(answer, z.unknown(), 'stop the session');
  }

  /** Forgets the login and keeps the configuration; a running session comes back with a QR code. */
  async function logoutSession(name: string): Promise<BackendSession> {
    return toSession(parseAnswer(await lifecycle(name, 'logout'), RawSession, 'log the session out'));
  }

  function lifecycle(name: string, verb: 'start' | 'stop' | 'restart' | 'logout') {
    return answerTo(http, {
      method: 'POST',
      path: `${sessionPath(name)}/${verb}`,
      timeoutMs: LIFECYCLE_TIMEOUT_MS,
      doing: `${verb} the session`,
    });
  }

  async function deleteSession(name: string): Promise<void> {
    const doing = 'delete the session';
    const path = sessionPath(name);
    const answer = await answerTo(http, { method: 'DELETE', path, timeoutMs: LIFECYCLE_TIMEOUT_MS, doing });
    if (answer.status !== 404) parseAnswer(answer, z.unknown(), doing);
  }

  /** Returns the session's account; null before login and while the session is not running. */
  async function getMe(name: string): Promise<NetworkAccount | null> {
    const doing = 'read the account';
    const path = `${sessionPath(name)}/me`;
    const answer = await answerTo(http, { method: 'GET', path, timeoutMs: readTimeoutMs, doing });
    return answer.status === 404 ? null : parseAnswer(answer, Account, doing);
  }

  return {
    createSession,
    ensureSession,
    getSession,
    listSessions,
    getRestriction,
    startSession,
    restartSession,
    stopSession,
    logoutSession,
    deleteSession,
    getMe,
  };
}

function sessionPath(name: string): string {
  return `/api/sessions/${encodeURIComponent(name)}`;
}
