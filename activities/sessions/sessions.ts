import { FORMER_BACKEND_EVENTS } from '../../backend/events/events.ts';
import { sessionWebhookSecret } from '../../backend/events/session-secret.ts';
import type { BackendSession } from '../../backend/calls/sessions.ts';
import type { SessionSpec } from '../../backend/calls/session-settings.ts';
import { findSessionById, recordSessionError } from '../../db/sessions/session.ts';
import type { Session } from '../../db/sessions/session.ts';
import { applySessionStatus } from '../../db/network/ingest.ts';
import { failSession } from '../../db/network/session-failure.ts';
import { readSessionBacklog } from '../../db/sessions/session-backlog.ts';
import type { SessionBacklog } from '../../db/sessions/session-backlog.ts';
import { readWebhookState, recordLook } from '../../db/sessions/session-webhook.ts';
import { promiseSync } from '../../db/sessions/session-workflow.ts';
import { resumeQueues } from '../../db/sending/promote.ts';
import { DEFAULT_BACKEND } from '../../domain/backend-server.ts';
import { EngineError } from '../../domain/error.ts';
import { SESSION_REFUSALS, WORKING } from '../../domain/session.ts';
import type { SessionRefusal } from '../../domain/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type SessionActivities = ReturnType<typeof createSessionActivities>;

export interface Followed {
  status: string | null;
  refused?: boolean;
  backlog?: SessionBacklog;
}

/** A session that works for the first time brings in this many pages of its past. */
const FIRST_SYNC_PAGES = 3;
/** No queue needs this many rounds, so only a mistake reaches this bound. */
const MAX_RESUME_ROUNDS = 100;

export function createSessionActivities({ database, backends, backendWebhook }: ActivityDependencies) {
  /** The sessions whose webhook this process has compared; it does so once, whoever may have changed it meanwhile. */
  const compared = new Set<string>();

  /**
   * Makes the session at the backend, or brings its webhook up to date. `refused` means that the backend will never
   * make the session as it is. Safe to repeat: creating is idempotent by name. Rows: session.
   */
  async function connectSession({ sessionId }: { sessionId: string }): Promise<'connected' | 'refused' | undefined> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) return undefined;
    return (await connect(session, backends.of(session).createSession)) === null ? 'refused' : 'connected';
  }

  /** Returns null when the backend will never make the session as it is. */
  async function connect(
    session: Session,
    make: (spec: SessionSpec) => Promise<BackendSession>,
  ): Promise<BackendSession | null> {
    try {
      return await make({
        name: session.name,
        sessionId: session.id,
        adopts: session.adopts,
        webhookUrl: backendWebhook.url,
        webhookSecret: sessionWebhookSecret(backendWebhook.secret, session),
        ...(session.backend === DEFAULT_BACKEND ? { formerWebhookSecret: backendWebhook.secret } : {}),
        events: backendWebhook.events,
        formerEvents: FORMER_BACKEND_EVENTS,
      });
    } catch (error) {
      if (error instanceof EngineError && (error.code === 'invalid_request' || error.code === 'name_taken')) {
        const refusal = refusalOf(error);
        await database.transaction((tx) => failSession(tx, session, refusal));
        return null;
      }
      const code = error instanceof EngineError ? error.code : 'internal';
      await database.transaction((tx) => recordSessionError(tx, session.id, code));
      throw error;
    }
  }

  /**
   * Brings the session's webhook up to date, unless a younger process has done so. Makes a session again that is gone,
   * unless the backend refuses; another program may have put its own in its place.
   */
  async function lookAt(session: Session): Promise<{ seen: BackendSession | null; hasOurs: boolean }> {
    const state = await database.read((queries) => readWebhookState(queries, session.id, backendWebhook));
    const isLeft = state === 'newer' || (state === 'ours' && compared.has(session.id));
    const found = isLeft ? await backends.of(session).getSession(session.name) : null;
    if (found?.sessionId === session.id) return { seen: found, hasOurs: state === 'ours' };
    const seen = await connect(session, backends.of(session).ensureSession);
    compared.add(session.id);
    return { seen, hasOurs: true };
  }

  /**
   * Reads the status at the backend and records it, because a webhook may have been lost or late. The status is null
   * when the session is no longer ours or the backend refuses to make it again. Safe to repeat: an unchanged status
   * changes nothing.
   * Rows: session, dispatch.
   */
  async function followSession({ sessionId }: { sessionId: string }): Promise<Followed> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) {
      compared.delete(sessionId);
      return { status: null };
    }
    // The row says that its sends wait; the watch asks for a look when the backend is configured again.
    if (!backends.knows(session)) return { status: session.status };
    const { seen, hasOurs } = await lookAt(session);
    if (seen === null) return { status: null, refused: true };
    const { status, me, platform } = seen;
    await database.transaction(async (tx) => {
      await recordLook(tx, sessionId, hasOurs ? backendWebhook : null);
      await applySessionStatus(tx, session, {
        kind: 'session',
        key: `poll:${sessionId}`,
        status,
        // We record the time of the last report, because a report that arrived while we asked is newer than this answer.
        at: session.statusAt.getTime(),
        me,
        platform,
      });
    });
    if (status === WORKING) await whenWorking(session);
    return { status, backlog: await database.read((queries) => readSessionBacklog(queries, session)) };
  }

  /**
   * Releases the session's messages in transactions after the one that wrote WORKING, so that these see the sends that
   * were accepted while that one committed.
   */
  async function whenWorking(session: Session): Promise<void> {
    for (let round = 0; round < MAX_RESUME_ROUNDS; round += 1) {
      const moved = await database.transaction((tx) => resumeQueues(tx, session.id));
      if (moved === 0) break;
    }
    if (session.syncedAt !== null) return;
    await database.transaction((tx) => promiseSync(tx, session.id, FIRST_SYNC_PAGES));
  }

  return { connectSession, followSession };
}

/** Says why the backend will never make the session. */
function refusalOf({ code, fields }: EngineError): SessionRefusal {
  if (code === 'name_taken') return SESSION_REFUSALS.taken;
  return fields.some(({ pointer }) => pointer === '/name') ? SESSION_REFUSALS.name : SESSION_REFUSALS.settings;
}
