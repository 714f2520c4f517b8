import { findSessionById, recordSessionError, touchSupervised } from '../db/session.ts';
import { applySessionStatus } from '../db/ingest.ts';
import { insertDispatch } from '../db/dispatch.ts';
import { releaseSession } from '../db/promote.ts';
import { EngineError } from '../domain/error.ts';
import { PRIORITY } from '../domain/names.ts';
import { WORKING } from '../domain/session.ts';
import type { ActivityDependencies } from './dependencies.ts';

export type SessionActivities = ReturnType<typeof createSessionActivities>;

/** What the engine wants to hear of a session; `message.any` and not `message`, else everything comes twice. */
const BACKEND_EVENTS = ['session.status', 'message.any', 'message.ack', 'message.ack.group'];
/** How deep a session's past is brought in when it first works. */
const FIRST_SYNC_PAGES = 3;

export function createSessionActivities({ database, backend, backendWebhook }: ActivityDependencies) {
  /** Makes the session at the backend, or brings its webhook up to date. Safe to repeat: creating is idempotent by name. */
  async function connectSession({ sessionId }: { sessionId: string }): Promise<void> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) return;
    try {
      await backend.createSession({
        name: session.name,
        metadata: { sessionId },
        webhookUrl: backendWebhook.url,
        webhookSecret: backendWebhook.secret,
        events: BACKEND_EVENTS,
      });
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'internal';
      await database.transaction((tx) => recordSessionError(tx, sessionId, code));
      throw error;
    }
  }

  /**
   * Reads the status at the backend and records it; a webhook may have been lost or late. Null when the session is no
   * longer ours. Safe to repeat: the same status changes nothing.
   */
  async function followSession({ sessionId }: { sessionId: string }): Promise<{ status: string | null }> {
    const session = await database.read((queries) => findSessionById(queries, sessionId));
    if (!session) return { status: null };
    const seen = await backend.getSession(session.name);
    const status = seen?.status ?? 'STOPPED';
    await database.transaction(async (tx) => {
      await touchSupervised(tx, sessionId);
      await applySessionStatus(tx, session, {
        kind: 'session',
        key: `poll:${sessionId}`,
        status,
        // As of the last report: one that arrived while we asked is newer than the answer.
        at: session.statusAt.getTime(),
        me: seen?.me ?? null,
        platform: seen?.platform ?? null,
      });
    });
    if (status === WORKING) await database.transaction((tx) => whenWorking(tx, session));
    return { status };
  }

  /** In a transaction after the one that wrote WORKING: it sees the sends that were accepted while that committed. */
  async function whenWorking(
    tx: Parameters<Parameters<typeof database.transaction>[0]>[0],
    session: NonNullable<Awaited<ReturnType<typeof findSessionById>>>,
  ): Promise<void> {
    await releaseSession(tx, session.id);
    if (session.syncedAt !== null) return;
    await insertDispatch(tx, {
      type: 'syncHistory',
      key: session.id,
      action: 'start',
      args: [session.id, FIRST_SYNC_PAGES],
      attributes: { AgencyId: session.agencyId, TenantId: session.tenantId, SessionId: session.id },
      summary: `history of a session of agency ${session.agencyId}`,
      priority: PRIORITY.background,
      agencyId: session.agencyId,
    });
  }

  return { connectSession, followSession };
}
